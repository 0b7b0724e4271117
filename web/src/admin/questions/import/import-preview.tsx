import type { ImportItem } from '@invigil/core/contract/assessments/imports';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { useState } from 'react';
import { pointsWords } from '../../../lib/format.ts';
import { acceptedWords, SCORING_RULE_NAMES, typedRuleWords } from '../../../lib/question-labels.ts';
import { AnswerField } from '../../../question-view/answer-field.tsx';
import { ImageSource } from '../../../question-view/content/image-source.ts';
import { Content } from '../../../question-view/content.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { paperQuestionOf } from './review-items.ts';
import type { PreviewImages } from './use-import.ts';

/** An item as candidates would see it, and its key. */
export function ImportPreview({
  item,
  definition,
  images,
  onClose,
}: {
  item: ImportItem;
  definition: QuestionDefinition;
  images: PreviewImages;
  onClose(): void;
}) {
  const [answer, setAnswer] = useState('');
  const { question, format, explanation } = definition;
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title="Preview"
      description={item.title}
      footer={
        <DialogClose>
          <Button data-autofocus="">Close</Button>
        </DialogClose>
      }
    >
      <ImageSource value={(hash) => images.addressOf(hash)}>
        <div className="grid gap-6 pt-2">
          <div className="text-lg break-words whitespace-pre-wrap">
            <Content text={question} format={format} links="shown" />
          </div>
          <AnswerField
            question={paperQuestionOf(definition)}
            value={answer}
            dense
            onSelect={setAnswer}
            onType={setAnswer}
            onSettle={() => undefined}
          />
          <Key definition={definition} />
          {explanation !== undefined && explanation !== '' && (
            <div className="grid gap-1.5">
              <h3 className="font-semibold">Explanation</h3>
              <div className="break-words whitespace-pre-wrap">
                <Content text={explanation} format={format} links="shown" />
              </div>
            </div>
          )}
        </div>
      </ImageSource>
    </Dialog>
  );
}

function Key({ definition }: { definition: QuestionDefinition }) {
  const { options, format, points, rule } = definition;
  const right = options.filter(({ isCorrect }) => isCorrect);
  const accepted = acceptedWords(definition);
  return (
    <div className="grid gap-1.5">
      <h3 className="font-semibold">Correct answer</h3>
      {right.length + accepted.length === 0 ? (
        <p className="text-warn-ink">None yet: this is a draft.</p>
      ) : (
        <ul className="grid gap-1">
          {right.map(({ text }) => (
            <li key={text} className="break-words">
              <Content text={text} format={format} inline links="shown" />
            </li>
          ))}
          {accepted.map((words) => (
            <li key={words} className="break-words">
              {words}
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-ink-2">
        {[pointsWords(points), SCORING_RULE_NAMES[rule], ...typedRuleWords(definition)].join(', ')}
      </p>
    </div>
  );
}
