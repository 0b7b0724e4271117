import { QUESTION_TYPES } from '@invigil/core/domain/questions/question-definition';
import { useState } from 'react';
import { QUESTION_TYPE_NAMES } from '../../../../lib/question-labels.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Checkbox } from '../../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../../ui/fields/select-field.tsx';
import { type QuestionValues, withType } from '../state/question-values.ts';
import type { PartProps } from '../state/use-editing.ts';
import { MarkdownField } from '../text/markdown-field.tsx';

/** Type, text and explanation. */
export function QuestionPart({ values, change, problemAt }: PartProps) {
  const { type, format, question, explanation } = values;
  const [explains, setExplains] = useState(explanation !== '');
  return (
    <Card className="grid gap-4 p-5">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <SelectField
          label="Type"
          className="w-56"
          options={QUESTION_TYPES.map((value) => ({ value, label: QUESTION_TYPE_NAMES[value] }))}
          value={type}
          onChange={(value) => {
            const next = QUESTION_TYPES.find((known) => known === value);
            if (next !== undefined && next !== type) change(withType(values, next));
          }}
        />
        <Checkbox
          label="Formatted text (Markdown)"
          checked={format === 'markdown'}
          onChange={(event) => {
            if (!event.target.checked) change({ format: 'plain' });
            else void asMarkdown(values).then((part) => change(part));
          }}
        />
      </div>
      <MarkdownField
        label="Question"
        name="question"
        minHeight="min-h-28!"
        error={problemAt('question')}
        value={question}
        onChange={(text) => change({ question: text }, 'question')}
        format={format}
      />
      {explains || explanation !== '' ? (
        <MarkdownField
          label="Explanation"
          optional
          name="explanation"
          minHeight="min-h-20!"
          hint="Shown with the key in records, and never during an attempt."
          error={problemAt('explanation')}
          value={explanation}
          onChange={(text) => change({ explanation: text }, 'explanation')}
          format={format}
        />
      ) : (
        <Button
          variant="ghost"
          size="dense"
          className="-ml-3 justify-self-start"
          onClick={() => setExplains(true)}
        >
          Add an explanation
        </Button>
      )}
    </Card>
  );
}

/** The same texts as Markdown: their signs that would be marks are escaped. */
async function asMarkdown(values: QuestionValues): Promise<Partial<QuestionValues>> {
  const { markdownFromPlain } = await import('@invigil/core/content/html/html-text');
  return {
    format: 'markdown',
    question: markdownFromPlain(values.question),
    options: values.options.map((option) => ({ ...option, text: markdownFromPlain(option.text) })),
    explanation: markdownFromPlain(values.explanation),
  };
}
