import { foldCase } from '@invigil/core/domain/typed-text';
import { childOf, childrenOf, textOf, type XmlElement } from '../../xml/xml-element.ts';
import { numberOf } from '../fit/score.ts';

export type Scalar = string | number | boolean;
export type BaseType = 'identifier' | 'string' | 'number' | 'boolean' | 'other';

export interface MapEntry {
  key: Scalar;
  value: number;
  isCaseSensitive: boolean;
}

export interface Mapping {
  entries: MapEntry[];
  lower: number | undefined;
  upper: number | undefined;
  otherwise: number;
}

/** A variable of an item: what a candidate answers, or what the rules set. */
export interface Declaration {
  identifier: string;
  cardinality: string;
  baseType: BaseType;
  correct: Scalar[];
  /** The key and the keys of the mapping as written: 1.50 */
  texts: { correct: string[]; keys: string[] };
  mapping: Mapping | null;
  defaults: Scalar[];
  normalMaximum: number | undefined;
}

export function readDeclaration(element: XmlElement): Declaration {
  const { attributes } = element;
  const baseType = baseTypeOf(attributes.baseType);
  const textsIn = (name: string) => {
    const parent = childOf(element, name);
    return parent ? childrenOf(parent, 'value').map((value) => textOf(value).trim()) : [];
  };
  const correct = textsIn('correctResponse');
  const mapping = childOf(element, 'mapping');
  const entries = mapping ? childrenOf(mapping, 'mapEntry') : [];
  return {
    identifier: attributes.identifier ?? '',
    cardinality: attributes.cardinality ?? 'single',
    baseType,
    correct: correct.map((text) => scalar(text, baseType)),
    texts: { correct, keys: entries.map((entry) => (entry.attributes.mapKey ?? '').trim()) },
    mapping: mapping ? readMapping(mapping, entries, baseType) : null,
    defaults: textsIn('defaultValue').map((text) => scalar(text, baseType)),
    normalMaximum: numberOf(attributes.normalMaximum),
  };
}

export function baseTypeOf(name: string | undefined): BaseType {
  if (name === 'float' || name === 'integer') return 'number';
  return name === 'identifier' || name === 'string' || name === 'boolean' ? name : 'other';
}

export function scalar(text: string, baseType: BaseType): Scalar {
  const trimmed = text.trim();
  if (baseType === 'number') return Number(trimmed);
  if (baseType === 'boolean') return trimmed === 'true' || trimmed === '1';
  return trimmed;
}

function readMapping(
  mapping: XmlElement,
  entries: readonly XmlElement[],
  baseType: BaseType,
): Mapping {
  const values = new Map<string, Set<string>>();
  for (const { attributes } of entries) {
    const key = foldCase((attributes.mapKey ?? '').trim());
    values.set(key, (values.get(key) ?? new Set()).add(attributes.mappedValue ?? ''));
  }
  // York for 1 and york for 0.5, as in the specification's own example: then case counts, whatever else
  // is said or left out.
  const isCased = [...values.values()].some((set) => set.size > 1);
  return {
    entries: entries.map(({ attributes }) => ({
      key: scalar(attributes.mapKey ?? '', baseType),
      value: numberOf(attributes.mappedValue) ?? 0,
      isCaseSensitive: baseType !== 'string' || isCased || attributes.caseSensitive !== 'false',
    })),
    lower: numberOf(mapping.attributes.lowerBound),
    upper: numberOf(mapping.attributes.upperBound),
    otherwise: numberOf(mapping.attributes.defaultValue) ?? 0,
  };
}
