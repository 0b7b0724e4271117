import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { formatDateTime } from '../../../../lib/format.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../../ui/dialogs/dialog.tsx';
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx';
import { useBankQuestion } from '../../../data/questions.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { type Change, definitionChanges } from './definition-changes.ts';

/** A run of words that both texts have, or only one of them. */
interface Part {
  text: string;
  in: 'both' | 'before' | 'after';
}

/** More words take too long to compare, and nobody reads their difference. */
const WORDS_MAX = 3_000;

/** The difference of two texts by words: their longest common subsequence. */
export function textDiff(before: string, after: string): Part[] {
  if (before === after) return before === '' ? [] : [{ text: before, in: 'both' }];
  const a = wordsOf(before);
  const b = wordsOf(after);
  if (a.length > WORDS_MAX || b.length > WORDS_MAX) {
    return joined([...a.map(only('before')), ...b.map(only('after'))]);
  }
  const common = commonLengths(a, b);
  const at = (i: number, j: number) => common[i * (b.length + 1) + j] ?? 0;
  const parts: Part[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      parts.push({ text: left, in: 'both' });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ text: left, in: 'before' });
      i += 1;
    } else {
      parts.push({ text: right ?? '', in: 'after' });
      j += 1;
    }
  }
  return joined(parts);
}

/** The longest common part of the rest from each pair of positions, row by row. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  return lengths;
}

/** Words, white space and single signs: nothing is lost. */
const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}]+|./gsu) ?? [];

const only =
  (side: 'before' | 'after') =>
  (text: string): Part => ({ text, in: side });

function joined(parts: readonly Part[]): Part[] {
  const runs: Part[] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (last?.in === part.in) last.text += part.text;
    else runs.push({ ...part });
  }
  return runs;
}

/** Differences with what was taken away struck out and what was added underlined. */
export function ChangesList({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0)
    return (
      <p className="text-ink-2">
        {t(/* between two versions of a question */ 'editor.changes.none', 'No differences.')}
      </p>
    );
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
                  <VisuallyHidden>
                    {t(
                      /* read out before words that are struck out */ 'editor.changes.removed',
                      'removed:',
                    )}{' '}
                  </VisuallyHidden>
                  {part.text}
                </del>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts are fixed
                <ins key={i} className="rounded-sm bg-ok-soft text-ok-ink">
                  <VisuallyHidden>
                    {t(
                      /* read out before words that are new */ 'editor.changes.added',
                      'added:',
                    )}{' '}
                  </VisuallyHidden>
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

export function HistoryDialog({
  id,
  onRestore,
  onClose,
}: {
  id: string;
  /** Puts an earlier version into the fields; it is saved like any change. */
  onRestore(definition: QuestionDefinition): void;
  onClose(): void;
}) {
  const question = useBankQuestion(id);
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={t(/* the earlier versions of a question */ 'editor.history', 'History')}
      description={t(
        'editor.history.hint',
        'Candidates keep the version that was current when they started.',
      )}
      footer={
        <DialogClose>
          <Button data-autofocus="">
            {t(/* a button: closes a dialog */ 'ui.close', 'Close')}
          </Button>
        </DialogClose>
      }
    >
      <Loaded
        read={question}
        failure={t('editor.history.failedLoad', 'Could not load the versions')}
        loading={t('editor.history.loading', 'Loading versions...')}
        rows={3}
      >
        {(stored) => (
          <ol>
            {stored.versions.map(({ version, createdAt, by, definition }, i, versions) => {
              const earlier = versions[i + 1];
              return (
                <li key={version} className="border-b border-line py-4 last:border-b-0">
                  <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
                    <h3>
                      {t(/* of a question */ 'editor.history.version', 'Version {version}', {
                        version,
                      })}
                      <span className="font-normal text-ink-2">
                        {` · ${formatDateTime(createdAt)}`}
                        {i === 0 &&
                          ` · ${t(/* said of a version: the latest */ 'editor.history.current', 'current')}`}
                        {by !== null && (
                          <>
                            {' · '}
                            <bdi>{by}</bdi>
                          </>
                        )}
                      </span>
                    </h3>
                    {i > 0 && (
                      <Button size="dense" onClick={() => onRestore(definition)}>
                        {t(/* a button */ 'editor.history.restore', 'Restore version {version}', {
                          version,
                        })}
                      </Button>
                    )}
                  </div>
                  {earlier === undefined ? (
                    <p className="text-ink-2">
                      {t('editor.history.added', 'The question was added.')}
                    </p>
                  ) : (
                    <ChangesList changes={definitionChanges(earlier.definition, definition)} />
                  )}
                </li>
              );
            })}
          </ol>
        )}
      </Loaded>
    </Dialog>
  );
}
