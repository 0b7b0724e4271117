import type {
  KeyField,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import type { ComponentType } from 'react';
import type { PartProps } from '../state/use-editing.ts';
import { StoredAs } from '../text/markdown-field.tsx';
import { MatchingPart } from './matching-part.tsx';
import { NumericPart, ShortTextPart } from './numeric-part.tsx';
import { OptionsPart } from './options-part.tsx';
import { QuestionPart, ScoringPart } from './question-part.tsx';

const KEY_PARTS: Record<KeyField, ComponentType<PartProps>> = {
  numeric: NumericPart,
  shortText: ShortTextPart,
};

/** The fields of a question of any type, without the labels for authors. */
export function QuestionFields({
  definition,
  ...part
}: PartProps & { definition: QuestionDefinition }) {
  const { keyField } = TYPES[part.values.type];
  const KeyPart =
    part.values.type === 'matching'
      ? MatchingPart
      : keyField === null
        ? OptionsPart
        : KEY_PARTS[keyField];
  return (
    <StoredAs value={definition.format}>
      <QuestionPart {...part} />
      <KeyPart {...part} />
      <ScoringPart {...part} definition={definition} />
    </StoredAs>
  );
}
