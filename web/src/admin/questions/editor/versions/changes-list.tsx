import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx';
import type { Change } from './definition-changes.ts';
import { textDiff } from './text-diff.ts';

/** Differences with what was taken away struck out and what was added underlined. */
export function ChangesList({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className="text-ink-2">No differences.</p>;
  return (
    <dl className="grid gap-2.5">
      {changes.map(({ label, before, after }) => (
        <div key={label} className="grid gap-0.5">
          <dt className="text-sm font-medium text-ink-2">{label}</dt>
          <dd dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {textDiff(shortened(before), shortened(after)).map((part, i) =>
              part.in === 'both' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts are fixed
                <span key={i}>{part.text}</span>
              ) : part.in === 'before' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts are fixed
                <del key={i} className="rounded-sm bg-bad-soft text-bad-ink">
                  <VisuallyHidden>removed: </VisuallyHidden>
                  {part.text}
                </del>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts are fixed
                <ins key={i} className="rounded-sm bg-ok-soft text-ok-ink">
                  <VisuallyHidden>added: </VisuallyHidden>
                  {part.text}
                </ins>
              ),
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The address of an image says nothing to a reader; its beginning tells it from another. */
function shortened(text: string): string {
  return text.replace(/(image:[0-9a-f]{8})[0-9a-f]{56}/g, '$1…');
}
