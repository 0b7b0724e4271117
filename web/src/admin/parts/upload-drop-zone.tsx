import { t } from '@invigil/core/texts/i18n';
import { FileUp } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';

export function UploadDropZone({
  label,
  hint,
  accept,
  onFile,
}: {
  label: string;
  hint: string;
  /** The same as an input's `accept`; absent: any file. */
  accept?: string;
  onFile(file: File): void;
}) {
  const id = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the input inside is the control
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`relative grid justify-items-center gap-2 rounded-lg border border-dashed px-4 py-6 text-center transition-colors has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-focus ${over ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
    >
      <FileUp className="size-6 text-ink-3" />
      <label htmlFor={id} className="font-medium text-accent-ink underline underline-offset-4">
        {label}
      </label>
      <p className="text-ink-2">
        {t(/* goes on “Select a file”; it: a file */ 'parts.upload.drop', 'or drop it here')}
      </p>
      <p id={`${id}-hint`} className="max-w-[60ch] text-sm text-ink-3">
        {hint}
      </p>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Reset, so that the corrected file can be selected again.
          event.target.value = '';
          if (file !== undefined) onFile(file);
        }}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
    </div>
  );
}
