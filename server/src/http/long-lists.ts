import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../runtime/app-error.ts';
import { inTurns } from '../runtime/turns.ts';

/** Lists of more elements are validated between other requests. */
const LONG = 200;

/** Lists of which every element is validated already, in turns. */
const validated = new WeakSet<object>();

interface Lists {
  /**
   * The body with any elements in its lists, and without what reads them: their number, and everything else.
   */
  sized: z.ZodObject;
  /** The same with what is asked of a list whose elements are validated. */
  frame: z.ZodObject;
  elements: Map<string, z.ZodType>;
}

const known = new WeakMap<object, Lists | null>();

/** The lists directly in a body; null where there is none. */
function listsIn(body: unknown): Lists | null {
  if (!(body instanceof z.ZodObject)) return null;
  const found = known.get(body);
  if (found !== undefined) return found;
  const elements = new Map<string, z.ZodType>();
  const bodyWith = (kind: 'sized' | 'frame') => {
    const shape = Object.entries(body.def.shape).map(([name, field]) => {
      const list = withoutElements(field as z.ZodType);
      if (list) elements.set(name, list.element);
      return [name, list?.[kind] ?? field];
    });
    return body.clone({ ...body.def, shape: Object.fromEntries(shape) }) as z.ZodObject;
  };
  const [sized, frame] = [bodyWith('sized'), bodyWith('frame')];
  const lists = elements.size === 0 ? null : { sized, frame, elements };
  known.set(body, lists);
  return lists;
}

function withoutElements(
  field: z.ZodType,
): { sized: z.ZodType; frame: z.ZodType; element: z.ZodType } | null {
  if (field instanceof z.ZodArray) {
    const lengths = (field.def.checks ?? []).filter((check) =>
      /length/.test((check as z.core.$ZodCheck)._zod.def.check),
    );
    const frame = field.clone({ ...field.def, element: z.unknown() });
    const sized = field.clone({ ...field.def, element: z.unknown(), checks: lengths });
    return { sized, frame, element: field.element as z.ZodType };
  }
  const isAround =
    field instanceof z.ZodOptional ||
    field instanceof z.ZodNullable ||
    field instanceof z.ZodDefault;
  const inner = isAround ? withoutElements(field.def.innerType as z.ZodType) : null;
  if (!isAround || !inner) return null;
  const around = field as z.ZodOptional;
  const wrapped = (innerType: z.ZodType) => around.clone({ ...around.def, innerType });
  return { element: inner.element, sized: wrapped(inner.sized), frame: wrapped(inner.frame) };
}

const longOf = ({ elements }: Lists, body: unknown) =>
  typeof body !== 'object' || body === null
    ? []
    : [...elements].flatMap(([name, element]) => {
        const list: unknown = Reflect.get(body, name);
        return Array.isArray(list) && list.length > LONG ? [{ name, element, list }] : [];
      });

/**
 * Validates the elements of the long lists in a body, before the rest is: ten thousand people at once would
 * keep everybody else waiting. A list that is too long has none of its elements looked at.
 */
export async function validateLongLists(schema: unknown, request: FastifyRequest): Promise<void> {
  const lists = listsIn(schema);
  const { body } = request;
  const long = lists ? longOf(lists, body) : [];
  if (!lists || long.length === 0 || !lists.sized.safeParse(body).success) return;
  for (const { name, element, list } of long) {
    const read: unknown[] = [];
    const issues: { path: string; message: string }[] = [];
    for await (const [i, one] of inTurns(list.entries())) {
      const { data, error } = element.safeParse(one);
      for (const { path, message } of error?.issues ?? []) {
        issues.push({ path: [name, i, ...path].join('.'), message });
      }
      read.push(data);
    }
    const [first] = issues;
    if (first) throw new AppError('INVALID_INPUT', { issues, message: first.message });
    validated.add(read);
    Reflect.set(body as object, name, read);
  }
}

/**
 * Validates as the library does, but of long lists in a body only what `validateLongLists` leaves. A list
 * that it has not seen is validated as a whole, once it is known not to be too long.
 */
export const bodyValidatorCompiler: FastifySchemaCompiler<z.ZodType> = (route) => {
  const whole = validatorCompiler(route);
  const lists = route.httpPart === 'body' ? listsIn(route.schema) : null;
  if (!lists) return whole;
  const sized = validatorCompiler({ ...route, schema: lists.sized });
  const frame = validatorCompiler({ ...route, schema: lists.frame });
  return (body: unknown) => {
    const long = longOf(lists, body);
    if (long.length === 0) return whole(body);
    if (long.every(({ list }) => validated.has(list))) return frame(body);
    const read = sized(body);
    return typeof read === 'object' && 'error' in read && read.error ? read : whole(body);
  };
};
