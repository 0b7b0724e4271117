import type {
  KeyField,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { type ComponentType, useState } from 'react';
import type { PartProps } from '../state/use-editing.ts';
import { sourceViewKey, TextView } from '../text/text-view.ts';
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
  const [isSource, setSource] = useState(() => sourceViewKey.read() ?? false);
  const { keyField } = TYPES[part.values.type];
  const KeyPart =
    part.values.type === 'matching'
      ? MatchingPart
      : keyField === null
        ? OptionsPart
        : KEY_PARTS[keyField];
  return (
    <TextView
      value={{
        storedAs: definition.format,
        isSource,
        setSource: (next) => {
          sourceViewKey.write(next);
          setSource(next);
        },
      }}
    >
      <QuestionPart {...part} />
      <KeyPart {...part} />
      <ScoringPart {...part} definition={definition} />
    </TextView>
  );
}
