import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { TriangleAlert } from 'lucide-react';
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type Ref,
  useContext,
  useRef,
  useState,
} from 'react';
import { CONTROL, CONTROL_SIZE, Field } from '../../../../ui/fields/field.tsx';
import { toast } from '../../../../ui/toast.ts';
import { storeImage } from '../../../data/questions.ts';
import { showFailure } from '../../../data/show-failure.ts';
import { insertStored, MarkdownToolbar } from './markdown-toolbar.tsx';
import {
  COMMANDS,
  type Command,
  continueList,
  insertText,
  run,
  textProblems,
} from './text-commands.ts';
import { TextFormulas } from './text-formulas.tsx';

const KEYS: Record<string, Command | undefined> = {
  b: COMMANDS.bold,
  i: COMMANDS.italic,
  e: COMMANDS.code,
  k: COMMANDS.link,
};

interface MarkdownTextProps
  extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value' | 'ref' | 'className'> {
  value: string;
  onChange(value: string): void;
  format: TextFormat;
  fieldRef?: Ref<HTMLTextAreaElement>;
  className?: string;
}

/**
 * A text with the keys of Markdown, pasting of formatted text, and images by paste and drop. A plain
 * text has none of them.
 */
export function MarkdownText({
  value,
  onChange,
  format,
  fieldRef,
  className = '',
  ...textarea
}: MarkdownTextProps) {
  const [busy, setBusy] = useState<string | null>(null);
  const isMarkdown = format === 'markdown';
  const insertImages = async (field: HTMLTextAreaElement, files: readonly File[]) => {
    setBusy(files.length === 1 ? 'Uploading the image…' : `Uploading ${files.length} images…`);
    await insertStored(field, files);
    setBusy(null);
  };
  const paste = async (field: HTMLTextAreaElement, html: string, plain: string) => {
    setBusy('Converting…');
    try {
      const { text, notes } = await markdownFromClipboard(html, plain, storeImage);
      run(field, insertText(text));
      if (notes.length > 0) {
        toast({ title: 'Not everything could be pasted', description: notes.join(' ') });
      }
    } catch (error) {
      run(field, insertText(plain));
      showFailure('Pasted without formatting', error);
    }
    setBusy(null);
  };
  return (
    <>
      <textarea
        dir="auto"
        {...textarea}
        ref={fieldRef}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          textarea.onKeyDown?.(event);
          if (!isMarkdown || event.defaultPrevented || event.nativeEvent.isComposing) return;
          const isPlainEnter =
            event.key === 'Enter' && !(event.ctrlKey || event.metaKey || event.shiftKey);
          const command =
            (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
              ? KEYS[event.key.toLowerCase()]
              : isPlainEnter
                ? continueList
                : undefined;
          if (command !== undefined && run(event.currentTarget, command)) event.preventDefault();
        }}
        onPaste={(event) => {
          if (!isMarkdown) return;
          const html = event.clipboardData.getData('text/html');
          const plain = event.clipboardData.getData('text/plain');
          const files = imagesIn(event.clipboardData);
          const field = event.currentTarget;
          // Word puts a picture of the text beside its HTML; that of a copied image is only its address.
          if (files.length > 0 && (html === '' || plain.trim() === '')) {
            event.preventDefault();
            void insertImages(field, files);
          } else if (html !== '') {
            event.preventDefault();
            void paste(field, html, plain);
          }
        }}
        onDragOver={(event) => {
          if (isMarkdown && event.dataTransfer.types.includes('Files')) event.preventDefault();
        }}
        onDrop={(event) => {
          const files = imagesIn(event.dataTransfer);
          if (!isMarkdown || files.length === 0) return;
          event.preventDefault();
          void insertImages(event.currentTarget, files);
        }}
        // Sized by its lines only: a long word would widen the page.
        className={`block field-sizing-content resize-none contain-inline-size ${className}`}
      />
      {busy !== null && (
        <p role="status" className="text-sm text-ink-2">
          {busy}
        </p>
      )}
    </>
  );
}

export function MarkdownField({
  label,
  hint,
  error,
  optional = false,
  value,
  onChange,
  format,
  minHeight,
  name,
}: {
  label: string;
  hint?: ReactNode;
  error: string | undefined;
  optional?: boolean;
  value: string;
  onChange(value: string): void;
  format: TextFormat;
  minHeight: string;
  name: string;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isMarkdown = format === 'markdown';
  return (
    <Field label={label} hint={hint} error={error} {...(optional ? { optional } : {})}>
      {(ids) => (
        <>
          <div
            className={`${isMarkdown ? 'overflow-clip rounded-md border border-line-strong has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-offset-2 has-[textarea:focus-visible]:outline-focus has-[[aria-invalid=true]]:border-bad' : ''}`}
          >
            {isMarkdown && <MarkdownToolbar field={field} label={label} />}
            <MarkdownText
              {...ids}
              name={name}
              fieldRef={field}
              value={value}
              onChange={onChange}
              format={format}
              className={`${minHeight} ${CONTROL_SIZE.admin} max-h-[60dvh] py-2.5 leading-relaxed ${isMarkdown ? 'w-full min-w-0 bg-surface text-ink outline-none' : CONTROL}`}
            />
          </div>
          {isMarkdown && <TextProblems text={value} error={error} />}
          {isMarkdown && <TextFormulas text={value} field={field} />}
        </>
      )}
    </Field>
  );
}

/** The format in which the texts will be stored: those without marks are plain, in which HTML is a text. */
export const StoredAs = createContext<TextFormat>('markdown');

/** Lists what must be changed in a text before it is saved: a missing description of an image for one. */
export function TextProblems({ text, error }: { text: string; error: string | undefined }) {
  const isPlain = useContext(StoredAs) === 'plain';
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

/** A pasted or dropped text as Markdown; `null`: nothing that the browser would not paste itself. */
interface Pasted {
  text: string;
  notes: string[];
}

function imagesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'));
}

/**
 * HTML of the clipboard as Markdown. Its embedded images are stored; those of other addresses are named
 * in the notes, because the page may not load them.
 *
 * @param plain the clipboard's text: taken where the HTML is nothing but text
 */
async function markdownFromClipboard(
  html: string,
  plain: string,
  store: (image: Blob) => Promise<string>,
): Promise<Pasted> {
  const { markdownFromHtml } = await import('@invigil/core/content/html/html-text');
  const sources = new Set<string>();
  markdownFromHtml(html, (src) => {
    sources.add(src);
    return null;
  });
  const addresses = new Map<string, string>();
  for (const src of sources) {
    const image = blobOf(src);
    if (image !== null) addresses.set(src, `image:${await store(image)}`);
  }
  const { text, format, notes } = markdownFromHtml(html, (src) => addresses.get(src) ?? null);
  return format === 'plain' ? { text: plain || text, notes } : { text, notes };
}

/** Only `data:` addresses: the security policy lets the page fetch no others. */
function blobOf(src: string): Blob | null {
  const data = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(src);
  if (data === null) return null;
  const [, type = '', base64 = ''] = data;
  try {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    return new Blob([bytes], { type });
  } catch {
    return null;
  }
}
