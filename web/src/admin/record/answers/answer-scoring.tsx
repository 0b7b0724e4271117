import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import {
  acceptedWords,
  QUESTION_TYPE_NAMES,
  SCORING_RULE_NAMES,
  typedRuleWords,
} from '../../../lib/question-words.ts';
import { Content } from '../../../question-view/content.tsx';

/** How the answer became points: accepted answers, type, rule and the explanation. */
export function AnswerScoring({ definition }: { definition: QuestionDefinition }) {
  const { type, rule, format, explanation } = definition;
  const accepted = acceptedWords(definition);
  const rules = [
    QUESTION_TYPE_NAMES[type],
    SCORING_RULE_NAMES[rule],
    ...typedRuleWords(definition),
  ];
  return (
    <div className="mt-2 grid gap-1.5 text-sm text-ink-2">
      {accepted.length > 0 && (
        <div>
          <p className="text-ink-3">Accepted answers</p>
          <ul className="list-disc pl-5">
            {accepted.map((words) => (
              <li key={words} className="break-words">
                {words}
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="text-ink-3">{rules.join(' · ')}</p>
      {explanation && (
        <div className="break-words whitespace-pre-wrap">
          <span className="text-ink-3">Explanation: </span>
          <Content text={explanation} format={format} />
        </div>
      )}
    </div>
  );
}
