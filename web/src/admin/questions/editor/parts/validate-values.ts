import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { validateDefinition } from '@invigil/core/domain/questions/validate-definition';
import { definitionOf, fieldAt, type QuestionValues } from '../state/question-values.ts';
import { textProblems } from '../text/text-commands.ts';

type Validated =
  | { ok: true; definition: QuestionDefinition }
  | { ok: false; problems: ReadonlyMap<string, string> };

/** The server's rules. One message per field. */
export function validateValues(values: QuestionValues): Validated {
  const definition = definitionOf(values);
  const validated = validateDefinition(definition);
  const problems = new Map<string, string>();
  for (const { path, message } of validated.problems) {
    const field = fieldAt(values, path);
    if (!problems.has(field)) problems.set(field, message);
  }
  if (definition.format === 'markdown') {
    const texts = [
      ['question', values.question],
      ...values.options.flatMap(({ text, feedback }, i) => [
        [`options.${i}.text`, text],
        [`options.${i}.feedback`, feedback],
      ]),
      ...values.matching.pairs.flatMap(({ item, answer }, i) => [
        [`matching.pairs.${i}.item`, item],
        [`matching.pairs.${i}.answer`, answer],
      ]),
      ...values.matching.further.map(({ text }, i) => [`matching.further.${i}.text`, text]),
      ['explanation', values.explanation],
    ];
    for (const [path = '', text = ''] of texts) {
      const [problem] = textProblems(text);
      if (problem !== undefined && !problems.has(path)) problems.set(path, problem);
    }
  }
  return validated.ok && problems.size === 0
    ? { ok: true, definition: validated.definition }
    : { ok: false, problems };
}

/** Focuses the first field with a problem, in the order on the screen. */
export function focusProblem(form: HTMLElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (field === null || field === undefined) {
    form?.querySelector('[id$="-problem"]')?.scrollIntoView({ block: 'center' });
    return;
  }
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: 'center' });
}
