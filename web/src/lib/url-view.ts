import { z } from 'zod';

/** Counted from 1. */
export const PageNumber = z.coerce.number().int().min(1).max(1_000_000).catch(1);

/**
 * The view of a list in the URL, so that it can be shared and reloaded. What is not valid there is as
 * each field's `catch` says; the URL has only differences from the default view.
 */
export function urlView<S extends z.ZodRawShape>(fields: S) {
  const View = z.object(fields);
  const names = Object.keys(fields);
  const standard = View.parse({});
  const usual: Record<string, unknown> = standard;
  return {
    standard,
    from: (address: URLSearchParams) =>
      View.parse(Object.fromEntries(names.map((name) => [name, address.get(name) ?? undefined]))),
    to(view: Partial<z.infer<typeof View>>): URLSearchParams {
      const values: Record<string, unknown> = view;
      const set = names.filter((name) => values[name] && values[name] !== usual[name]);
      return new URLSearchParams(set.map((name) => [name, String(values[name])]));
    },
  };
}
