import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import type { LexicalEditor } from 'lexical';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useContext, useRef, useState } from 'react';
import { CONTROL, CONTROL_SIZE, Field, FieldNote } from '../../../../ui/fields/field.tsx';
import type { Pasted } from './clipboard.ts';
import { RichText } from './rich/rich-text.tsx';
import type { FormattedText } from './rich/rich-toolbar.tsx';
import { isRich } from './rich/rich-tree.ts';
import { SourceText } from './source-text.tsx';
import { textProblems } from './text-commands.ts';
import { TextFormulas } from './text-formulas.tsx';
import { TextView } from './text-view.ts';

interface MarkdownTextProps {
  name: string;
  value: string;
  onChange(value: string): void;
  format: TextFormat;
  'aria-label': string;
  id?: string | undefined;
  'aria-invalid'?: true | undefined;
  'aria-describedby'?: string | undefined;
  placeholder?: string;
  /** The class of the text, however it is edited. */
  className: string;
  /** The class of the box around it. */
  outline?: string;
  toolbar?: FormattedText;
  /** The problem that the field shows already. */
  error: string | undefined;
  onFocusText?(editor: LexicalEditor | null): void;
  /** Enter in a text of one line. */
  onEnter?(): void;
  /** Backspace in an empty one. */
  onBackspace?(): void;
  onPasteText?(pasted: Pasted, isSource: boolean): boolean;
  /** Undo where the text itself has nothing to take back. */
  onUndo?(): void;
}

/**
 * A text as candidates see it, or its source: where the author wants that, where the text is plain, and
 * where the editor could not give it back. Below it is what is wrong with it.
 */
function MarkdownText({
  value,
  onChange,
  format,
  className,
  outline = '',
  error,
  toolbar,
  onFocusText,
  onEnter,
  onBackspace,
  onPasteText,
  onUndo,
  ...field
}: MarkdownTextProps) {
  const { isSource } = useContext(TextView);
  const source = useRef<HTMLTextAreaElement>(null);
  const isMarkdown = format === 'markdown';
  const wantsRich = isMarkdown && !isSource;
  // It stays as it is while it is written in.
  const [view, setView] = useState({ text: value, wantsRich, isRich: wantsRich && isRich(value) });
  if (value !== view.text || wantsRich !== view.wantsRich) {
    setView({ text: value, wantsRich, isRich: wantsRich && isRich(value) });
  }
  const change = (text: string) => {
    setView({ ...view, text });
    onChange(text);
  };
  if (view.isRich) {
    return (
      <>
        <div className={outline}>
          <RichText
            {...field}
            {...{ value, className, onEnter, onBackspace, onPasteText, onUndo }}
            {...(toolbar === undefined ? {} : { toolbar })}
            onChange={change}
            onFocusText={onFocusText}
          />
        </div>
        <TextProblems text={value} error={error} />
      </>
    );
  }
  return (
    <>
      <div className={outline}>
        <SourceText
          {...field}
          {...{ value, format, className, onPasteText }}
          rows={1}
          fieldRef={source}
          onChange={change}
          onFocus={() => onFocusText?.(null)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
            const act =
              event.key === 'Enter' && !event.shiftKey
                ? onEnter
                : event.key === 'Backspace' && value === ''
                  ? onBackspace
                  : undefined;
            if (act === undefined) return;
            event.preventDefault();
            act();
          }}
        />
      </div>
      {wantsRich && (
        <p className="text-sm text-ink-2">
          {t(
            'richText.sourceOnly',
            'This text is edited as its Markdown source: it could not be given back as it is, because it has too many marks for one.',
          )}
        </p>
      )}
      {isMarkdown && <TextProblems text={value} error={error} />}
      {isMarkdown && <TextFormulas text={value} field={source} />}
    </>
  );
}

/** Size, lines and width of the text of a paper (question-view): on a phone as wide as the page. */
const PAPER_TEXT =
  'px-3 text-[1.0625rem] leading-[1.6] max-sm:px-4 lg:text-[1.125rem] [&>:is(p,ul,ol,blockquote)]:max-w-[44em]';

export function MarkdownField({
  label,
  hint,
  error,
  optional = false,
  value,
  onChange,
  format,
  minHeight,
  ...text
}: Pick<MarkdownTextProps, 'onPasteText' | 'onUndo'> & {
  name: 'question' | 'explanation';
  label: string;
  hint?: ReactNode;
  error: string | undefined;
  optional?: boolean;
  value: string;
  onChange(value: string): void;
  format: TextFormat;
  minHeight: string;
}) {
  return (
    <Field
      {...{ label, hint, error, optional }}
      // Code and tables scroll by themselves.
      className="grid-cols-[minmax(0,1fr)]"
    >
      {(ids) => (
        <MarkdownText
          {...ids}
          {...text}
          {...{ value, onChange, format, error }}
          aria-label={label}
          toolbar={text.name}
          outline="overflow-clip max-sm:-mx-4 max-sm:rounded-none! max-sm:border-x-0! rounded-md border border-line-strong has-[:is(textarea,[role=textbox]):focus-visible]:outline-2 has-[:is(textarea,[role=textbox]):focus-visible]:outline-offset-2 has-[:is(textarea,[role=textbox]):focus-visible]:outline-focus has-[[aria-invalid=true]]:border-bad"
          className={`${minHeight} w-full min-w-0 bg-surface py-2.5 text-ink outline-none ${PAPER_TEXT}`}
        />
      )}
    </Field>
  );
}

/** Lists what must be changed in a text before it is saved: a missing description of an image for one. */
function TextProblems({ text, error }: { text: string; error: string | undefined }) {
  const isPlain = useContext(TextView).storedAs === 'plain';
  const problems = isPlain ? [] : textProblems(text).filter((sentence) => sentence !== error);
  if (problems.length === 0) return null;
  return (
    <ul className="grid gap-1 text-sm text-warn-ink">
      {problems.map((sentence) => (
        <li key={sentence} className="flex gap-1.5">
          <TriangleAlert className="mt-px size-4 flex-none" />
          <span>{sentence}</span>
        </li>
      ))}
    </ul>
  );
}

/** How a text of one line looks, in an option. */
const LINE_TEXT = `${CONTROL} ${CONTROL_SIZE.admin} py-1.75 text-md! leading-normal`;

/** A text of one line without a label beside it, and its problem. */
export function LineText({
  label,
  className = '',
  ...text
}: Omit<MarkdownTextProps, 'aria-label' | 'placeholder' | 'className'> & {
  label: string;
  className?: string;
}) {
  const { name, error } = text;
  const isWrong = error !== undefined;
  return (
    <>
      <MarkdownText
        {...text}
        aria-label={label}
        placeholder={label}
        {...(isWrong ? { 'aria-invalid': true, 'aria-describedby': `${name}-note` } : {})}
        className={`${LINE_TEXT} ${className}`}
      />
      {isWrong && <FieldNote id={`${name}-note`} error={error} />}
    </>
  );
}
