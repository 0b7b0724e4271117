import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { Content } from '../../../question-view/content.tsx';

/** Options or typed texts in a row; each formatted one on a line of its own. */
export function Texts({
  of: texts,
  format,
}: {
  of: readonly string[];
  format: TextFormat | undefined;
}) {
  if (format !== 'markdown') return texts.join('; ');
  return texts.map((text) => <Content key={text} text={text} format={format} inline />);
}
