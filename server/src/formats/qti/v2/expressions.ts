import { foldCase } from '@invigil/core/domain/typed-text';
import { childrenOf, textOf, type XmlElement } from '../../xml/xml-element.ts';
import { isClose, numberOf } from '../fit/score.ts';
import { baseTypeOf, type Declaration, type Mapping, type Scalar, scalar } from './declarations.ts';

/** A container of values; a single one is a container of one, NULL an empty one. */
export type Values = readonly Scalar[];
/** The value of an expression that cannot be evaluated, with the name of the element that is the reason. */
export class Unknown {
  readonly because: string;
  constructor(because: string) {
    this.because = because;
  }
}
export type Value = Values | Unknown;

export interface Scope {
  valueOf: (identifier: string) => Value;
  responses: ReadonlyMap<string, Declaration>;
}

type Evaluate = (element: XmlElement, args: Values[], scope: Scope) => Value;

const number = (values: Values | undefined): number => Number(values?.[0] ?? Number.NaN);
const yes = (values: Values | undefined): boolean => values?.[0] === true;

/** NULL as soon as one operand is, as the specification has it. */
const arithmetic =
  (compute: (numbers: number[]) => number): Evaluate =>
  (_, args) => {
    const numbers = args.flat().map(Number);
    return args.length === 0 || args.some((values) => values.length === 0)
      ? []
      : [compute(numbers)];
  };

const comparison =
  (compare: (a: number, b: number) => boolean): Evaluate =>
  (_, [a = [], b = []]) =>
    a.length === 0 || b.length === 0 ? [] : [compare(number(a), number(b))];

/** The operators that are read. The others make a score unknown. */
const OPERATORS: Record<string, Evaluate> = {
  variable: ({ attributes }, _, scope) => scope.valueOf(attributes.identifier ?? ''),
  correct: ({ attributes }, _, scope) =>
    scope.responses.get(attributes.identifier ?? '')?.correct ?? new Unknown('correct'),
  baseValue: (element) => [scalar(textOf(element), baseTypeOf(element.attributes.baseType))],
  null: () => [],
  multiple: (_, args) => args.flat(),
  ordered: (_, args) => args.flat(),
  isNull: (_, [values = []]) => [values.length === 0 || values[0] === ''],
  not: (_, [values]) => (values?.length ? [!yes(values)] : []),
  and: (_, args) => [args.every(yes)],
  or: (_, args) => [args.some(yes)],
  match: (_, [a = [], b = []]) => (a.length && b.length ? [isSame(a, b)] : []),
  member: (_, [a = [], b = []]) => [a.length > 0 && b.some((value) => isEqual(value, a[0]))],
  contains: (_, [a = [], b = []]) => [b.every((wanted) => a.some((v) => isEqual(v, wanted)))],
  stringMatch: ({ attributes }, [a = [], b = []]) => {
    if (attributes.substring === 'true') return new Unknown('stringMatch with substring');
    const [x, y] = [String(a[0] ?? ''), String(b[0] ?? '')];
    const isCaseSensitive = attributes.caseSensitive !== 'false';
    return [isCaseSensitive ? x === y : foldCase(x) === foldCase(y)];
  },
  equal: equal,
  mapResponse: ({ attributes }, _, scope) => {
    const identifier = attributes.identifier ?? '';
    const declaration = scope.responses.get(identifier);
    const response = scope.valueOf(identifier);
    if (response instanceof Unknown) return response;
    return declaration?.mapping
      ? [mapped(declaration.mapping, response)]
      : new Unknown('mapResponse without a mapping');
  },
  containerSize: (_, [values = []]) => [values.length],
  integerToFloat: (_, [values = []]) => values,
  sum: arithmetic((numbers) => numbers.reduce((a, b) => a + b, 0)),
  product: arithmetic((numbers) => numbers.reduce((a, b) => a * b, 1)),
  subtract: arithmetic(([a = 0, b = 0]) => a - b),
  divide: arithmetic(([a = 0, b = 0]) => a / b),
  max: arithmetic((numbers) => Math.max(...numbers)),
  min: arithmetic((numbers) => Math.min(...numbers)),
  gt: comparison((a, b) => a > b && !isClose(a, b)),
  gte: comparison((a, b) => a >= b || isClose(a, b)),
  lt: comparison((a, b) => a < b && !isClose(a, b)),
  lte: comparison((a, b) => a <= b || isClose(a, b)),
};

/** Evaluates an expression of response processing. */
export function evaluate(element: XmlElement, scope: Scope): Value {
  const operator = Object.hasOwn(OPERATORS, element.name) ? OPERATORS[element.name] : undefined;
  if (!operator) return new Unknown(element.name);
  const args: Values[] = [];
  for (const child of childrenOf(element)) {
    const value = evaluate(child, scope);
    if (value instanceof Unknown) return value;
    args.push(value);
  }
  return operator(element, args, scope);
}

/**
 * The tolerance is around the first operand, says the specification; files that have the response there
 * mean the key all the same.
 */
function equal(element: XmlElement, [a = [], b = []]: Values[]): Value {
  if (a.length === 0 || b.length === 0) return [];
  const { attributes } = element;
  const isSwapped = childrenOf(element)[0]?.name === 'variable';
  const [x, y] = isSwapped ? [number(b), number(a)] : [number(a), number(b)];
  const mode = attributes.toleranceMode ?? 'exact';
  if (mode === 'exact') return [x === y || isClose(x, y)];
  const [below, above] = tolerancesOf(attributes.tolerance).map(Number);
  if (below === undefined || above === undefined) return new Unknown('tolerance of a variable');
  const [low, high] =
    mode === 'relative' ? [x * (1 - below / 100), x * (1 + above / 100)] : [x - below, x + above];
  const [min, max] = [Math.min(low, high), Math.max(low, high)];
  const isAtMin = isClose(y, min);
  const isAtMax = isClose(y, max);
  return [
    (y > min || isAtMin) &&
      (y < max || isAtMax) &&
      (!isAtMin || attributes.includeLowerBound !== 'false') &&
      (!isAtMax || attributes.includeUpperBound !== 'false'),
  ];
}

/** The one or two numbers of a tolerance, below and above; empty when they are not written as numbers. */
export function tolerancesOf(text: string | undefined): string[] {
  const parts = (text ?? '').trim().split(/\s+/);
  const [below = '', above = below] = parts;
  return numberOf(below) === undefined || numberOf(above) === undefined ? [] : [below, above];
}

function mapped({ entries, lower, upper, otherwise }: Mapping, response: Values): number {
  const unique = [...new Set(response)];
  const sum = unique.reduce<number>((total, value) => {
    const entry = entries.find(({ key, isCaseSensitive }) =>
      isCaseSensitive ? isEqual(key, value) : foldCase(String(key)) === foldCase(String(value)),
    );
    return total + (entry ? entry.value : otherwise);
  }, 0);
  return Math.min(Math.max(sum, lower ?? -Infinity), upper ?? Infinity);
}

function isEqual(a: Scalar | undefined, b: Scalar | undefined): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a === b || isClose(a, b);
  return a === b || String(a) === String(b);
}

/** The same values, in any order. */
function isSame(a: Values, b: Values): boolean {
  if (a.length !== b.length) return false;
  const left = [...b];
  return a.every((value) => {
    const i = left.findIndex((other) => isEqual(value, other));
    if (i >= 0) left.splice(i, 1);
    return i >= 0;
  });
}
