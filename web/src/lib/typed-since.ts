/**
 * The values of a form after a save: `fresh` for fields that still have the sent value, otherwise what
 * was typed during the save. Lists are compared item by item.
 */
export function keepTypedSince<T extends object>(sent: T, typed: T, fresh: T): T {
  const next = (Array.isArray(fresh) ? [...fresh] : { ...fresh }) as T;
  for (const key of Object.keys(typed) as (keyof T)[]) {
    if (typed[key] === sent[key]) continue;
    next[key] = listsOf(sent[key], typed[key], fresh[key]) ?? typed[key];
  }
  return next;
}

function listsOf<V>(sent: V, typed: V, fresh: V): V | undefined {
  const areLists = Array.isArray(sent) && Array.isArray(typed) && Array.isArray(fresh);
  return areLists ? keepTypedSince(sent, typed, fresh) : undefined;
}
