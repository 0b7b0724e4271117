import type { FieldValues, UseFormReturn } from 'react-hook-form';

/**
 * The values of a form after a save: `fresh` for fields that still have the sent value, otherwise what
 * was typed during the save. Fields within a field, and lists of one length, are compared one by one.
 */
export function keepTypedSince<T extends object>(sent: T, typed: T, fresh: T): T {
  const next = (Array.isArray(fresh) ? [...fresh] : { ...fresh }) as T;
  for (const key of Object.keys(typed) as (keyof T)[]) {
    if (typed[key] === sent[key]) continue;
    next[key] = partsOf(sent[key], typed[key], fresh[key]) ?? typed[key];
  }
  return next;
}

function partsOf<V>(sent: V, typed: V, fresh: V): V | undefined {
  const haveParts = sent instanceof Object && typed instanceof Object && fresh instanceof Object;
  if (!haveParts || Object.keys(sent).length !== Object.keys(typed).length) return undefined;
  return keepTypedSince(sent, typed, fresh);
}

/** Fills a form with what is stored, except fields that were edited since it had the values `sent`. */
export function fillForm<T extends FieldValues, U>(
  form: UseFormReturn<T, unknown, U>,
  sent: T,
  fresh: T,
): void {
  const next = keepTypedSince(sent, form.getValues(), fresh);
  form.reset(fresh);
  form.reset(next, { keepDefaultValues: true });
}
