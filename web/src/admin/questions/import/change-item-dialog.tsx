import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { useId, useRef, useState } from 'react';
import { ImageSource } from '../../../question-view/content/image-source.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { QuestionFields } from '../editor/parts/question-fields.tsx';
import { focusProblem, validateValues } from '../editor/parts/validate-values.ts';
import {
  definitionOf,
  definitionValues,
  NEW_QUESTION,
  same,
} from '../editor/state/question-values.ts';
import { useEditing } from '../editor/state/use-editing.ts';
import type { PreviewImages } from './use-import.ts';

/** Changes a question of a file before it is imported. */
export function ChangeItemDialog({
  definition,
  images,
  onClose,
  onChanged,
}: {
  definition: QuestionDefinition;
  images: PreviewImages;
  onClose(): void;
  onChanged(definition: QuestionDefinition): void;
}) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [initial] = useState(() => ({ ...NEW_QUESTION, ...definitionValues(definition) }));
  const { values, change } = useEditing(initial);
  const [isRefused, setRefused] = useState(false);
  const validated = validateValues(values);
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={t(/* title of a dialog and its button */ 'import.changeQuestion', 'Change question')}
      description={t('import.changeQuestion.hint', 'Nothing is stored before you import.')}
      unsaved={!same(values, initial)}
      footer={
        <FormFooter formId={formId} busy={false}>
          {t(/* title of a dialog and its button */ 'import.changeQuestion', 'Change question')}
        </FormFooter>
      }
    >
      <form
        id={formId}
        ref={form}
        noValidate
        aria-label={t(/* name of a form */ 'portal.question', 'Question')}
        className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-1"
        onSubmit={(event) => {
          event.preventDefault();
          if (validated.ok) return onChanged(validated.definition);
          setRefused(true);
          requestAnimationFrame(() => focusProblem(form.current));
        }}
      >
        <ImageSource value={(hash) => images.addressOf(hash)}>
          <QuestionFields
            {...{ values, change }}
            problemAt={(path) =>
              isRefused && !validated.ok ? validated.problems.get(path) : undefined
            }
            definition={definitionOf(values)}
          />
        </ImageSource>
      </form>
    </Dialog>
  );
}
