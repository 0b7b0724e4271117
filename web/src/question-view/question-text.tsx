import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { Content } from './content.tsx';

/** The text of a question in a list: one paragraph, or the blocks of a formatted text. */
export function QuestionText({
  text,
  format,
  className,
}: {
  text: string;
  format: TextFormat | undefined;
  /** of a plain text */
  className: string;
}) {
  return format === 'markdown' ? (
    <div className="max-w-[64ch]">
      <Content text={text} format={format} />
    </div>
  ) : (
    <p className={className}>{text}</p>
  );
}
