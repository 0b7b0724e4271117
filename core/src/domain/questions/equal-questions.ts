import type { QuestionDefinition } from './question-definition.ts';
import { stableJson } from './question-versions.ts';
import { TYPES } from './types/question-types.ts';

/**
 * Equal for definitions with the same content and key, whatever the order of their options and accepted
 * answers, and however a number or an accepted text is written: 70.0 and 70.
 */
export function definitionKey(definition: QuestionDefinition): string {
  const { keyField, plainKey, plainOptions } = TYPES[definition.type];
  const key = plainKey(definition);
  return stableJson({
    ...definition,
    options: plainOptions(definition.options).map(stableJson).sort(),
    ...(keyField && key ? { [keyField]: { ...key, accepted: distinct(key.accepted) } } : {}),
  });
}

function distinct(accepted: readonly object[]): string[] {
  return [...new Set(accepted.map(stableJson))].sort();
}
