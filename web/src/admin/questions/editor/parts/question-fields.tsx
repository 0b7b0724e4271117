import {
  hasOptions,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import type { PartProps } from '../state/use-editing.ts';
import { StoredAs } from '../text/markdown-field.tsx';
import { NumericPart, ShortTextPart } from './numeric-part.tsx';
import { OptionsPart } from './options-part.tsx';
import { QuestionPart, ScoringPart } from './question-part.tsx';

/** The fields of a question of any type, without the labels for authors. */
export function QuestionFields({
  definition,
  ...part
}: PartProps & { definition: QuestionDefinition }) {
  const { type } = part.values;
  return (
    <StoredAs value={definition.format}>
      <QuestionPart {...part} />
      {hasOptions(type) && <OptionsPart {...part} />}
      {type === 'numeric' && <NumericPart {...part} />}
      {type === 'short_text' && <ShortTextPart {...part} />}
      <ScoringPart {...part} definition={definition} />
    </StoredAs>
  );
}
