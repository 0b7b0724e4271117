import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { type ComponentProps, type Ref, useState } from 'react';
import { storeImage } from '../../../data/questions.ts';
import { showFailure } from '../../../data/show-failure.ts';
import {
  convertingText,
  markdownFromClipboard,
  type Pasted,
  tellFailedUpload,
  tellNotes,
  transferredIn,
  uploadingText,
} from './clipboard.ts';
import { images, insertText, run } from './text-commands.ts';

export interface SourceTextProps
  extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value' | 'ref' | 'className'> {
  value: string;
  onChange(value: string): void;
  format: TextFormat;
  fieldRef?: Ref<HTMLTextAreaElement>;
  /** A pasted text, before it is inserted; true: it was taken. */
  onPasteText?: ((pasted: Pasted, isSource: boolean) => boolean) | undefined;
  className?: string;
}

const plainPasted = (text: string): Pasted => ({ text, marked: text, format: 'plain', notes: [] });

/**
 * The source of a text. Into Markdown, formatted text and images can be pasted, and images dropped; a
 * plain text has neither.
 */
export function SourceText({
  value,
  onChange,
  format,
  fieldRef,
  onPasteText,
  className = '',
  ...textarea
}: SourceTextProps) {
  const [busy, setBusy] = useState<string | null>(null);
  const isMarkdown = format === 'markdown';
  const insertImages = async (field: HTMLTextAreaElement, files: readonly File[]) => {
    setBusy(uploadingText(files.length));
    const hashes: string[] = [];
    for (const file of files) {
      try {
        hashes.push(await storeImage(file));
      } catch (error) {
        tellFailedUpload(file, error);
      }
    }
    if (hashes.length > 0) run(field, images(hashes));
    setBusy(null);
  };
  const paste = async (field: HTMLTextAreaElement, html: string, plain: string) => {
    setBusy(convertingText());
    try {
      const pasted = await markdownFromClipboard(html, plain, storeImage);
      if (!onPasteText?.(pasted, true)) {
        run(field, insertText(pasted.text));
        tellNotes(pasted);
      }
    } catch (error) {
      run(field, insertText(plain));
      showFailure(t('richText.paste.plain', 'Pasted without formatting'), error);
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
        onPaste={(event) => {
          const got = isMarkdown
            ? transferredIn(event.clipboardData)
            : { html: '', plain: event.clipboardData.getData('text/plain') };
          if ('images' in got) void insertImages(event.currentTarget, got.images);
          else if (got.html !== '') void paste(event.currentTarget, got.html, got.plain);
          else if (!onPasteText?.(plainPasted(got.plain), true)) return;
          event.preventDefault();
        }}
        onDragOver={(event) => {
          if (isMarkdown && event.dataTransfer.types.includes('Files')) event.preventDefault();
        }}
        onDrop={(event) => {
          const got = isMarkdown ? transferredIn(event.dataTransfer) : null;
          if (got === null || !('images' in got)) return;
          event.preventDefault();
          void insertImages(event.currentTarget, got.images);
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
