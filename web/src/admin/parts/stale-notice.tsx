import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { Users } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { ApiError } from '../../net/api.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { scrollIntoView } from '../../ui/scroll-into-view.ts';

/** The server's sentence asks to reload; here both versions are already on the screen. */
export const staleSentence = (): string =>
  t('parts.stale.sentence', 'Someone else has changed it. Both versions are shown.');

/** Whole sentences by what was changed; `isNamed`: it is known who did. */
const TITLES = {
  assessment: ({ name, isNamed }) =>
    t(
      'parts.stale.assessment',
      '{isNamed, select, true {{name} has changed this assessment} other {Someone else has changed this assessment}}',
      { name, isNamed },
    ),
  question: ({ name, isNamed }) =>
    t(
      'parts.stale.question',
      '{isNamed, select, true {{name} has changed this question} other {Someone else has changed this question}}',
      { name, isNamed },
    ),
  passMark: ({ name, isNamed }) =>
    t(
      'parts.stale.passMark',
      '{isNamed, select, true {{name} has changed this pass mark} other {Someone else has changed this pass mark}}',
      { name, isNamed },
    ),
  schedule: ({ name, isNamed }) =>
    t(
      'parts.stale.schedule',
      '{isNamed, select, true {{name} has changed these times} other {Someone else has changed these times}}',
      { name, isNamed },
    ),
  release: ({ name, isNamed }) =>
    t(
      'parts.stale.release',
      '{isNamed, select, true {{name} has changed this release} other {Someone else has changed this release}}',
      { name, isNamed },
    ),
  category: ({ name, isNamed }) =>
    t(
      'parts.stale.category',
      '{isNamed, select, true {{name} has changed this category} other {Someone else has changed this category}}',
      { name, isNamed },
    ),
  person: ({ name, isNamed }) =>
    t(
      'parts.stale.person',
      '{isNamed, select, true {{name} has changed this person} other {Someone else has changed this person}}',
      { name, isNamed },
    ),
  invitation: ({ name, isNamed }) =>
    t(
      'parts.stale.invitation',
      '{isNamed, select, true {{name} has changed this invitation} other {Someone else has changed this invitation}}',
      { name, isNamed },
    ),
  institution: ({ name, isNamed }) =>
    t(
      'parts.stale.institution',
      '{isNamed, select, true {{name} has changed this institution} other {Someone else has changed this institution}}',
      { name, isNamed },
    ),
  mailServer: ({ name, isNamed }) =>
    t(
      'parts.stale.mailServer',
      '{isNamed, select, true {{name} has changed this mail server} other {Someone else has changed this mail server}}',
      { name, isNamed },
    ),
} satisfies Record<string, (values: { name: string; isNamed: string }) => string>;

/** A thing that two people can change. */
export type StaleThing = keyof typeof TITLES;

/** A field that two people have changed, in words. */
export interface Different {
  label: string;
  theirs: string;
  yours: string;
}

/** Someone else has saved: what differs, and which version to keep. */
export function StaleNotice({
  what,
  by,
  changes = [],
  onTakeTheirs,
  onKeepMine,
  children,
}: {
  what: StaleThing;
  /** Who it was, where that is known. */
  by?: string | undefined;
  changes?: readonly Different[];
  onTakeTheirs(): void;
  onKeepMine(): void;
  children?: ReactNode;
}) {
  return (
    <div ref={scrollIntoView} className="scroll-mt-32 md:scroll-mt-20">
      <Notice
        tone="warn"
        role="alert"
        icon={<Users />}
        title={TITLES[what]({ name: by ?? '', isNamed: String(by !== undefined) })}
      >
        <p>{t('parts.stale.kept', 'Your changes are still here. Nothing was overwritten.')}</p>
        {changes.length > 0 && (
          <dl className="my-2 grid gap-1 wrap-anywhere">
            {changes.map(({ label, theirs, yours }) => (
              <div key={label}>
                <dt className="inline font-medium">{label}: </dt>
                <dd className="inline">
                  {t(
                    /* two versions of an entry */ 'parts.stale.versions',
                    'theirs “{theirs}”, yours “{yours}”',
                    { theirs: isolated(theirs || '–'), yours: isolated(yours || '–') },
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
        {children}
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="dense" onClick={onTakeTheirs}>
            {t(/* a button */ 'parts.stale.useTheirs', 'Use their version')}
          </Button>
          <Button size="dense" onClick={onKeepMine}>
            {t(/* a button */ 'parts.stale.saveMine', 'Save my version')}
          </Button>
        </div>
      </Notice>
    </div>
  );
}

/** The values with which a form was filled, and those that someone else has stored since then. */
export interface Read<R> {
  /** The value to send as `before`. */
  before: R;
  /** The stored values, once a save was refused because of them. */
  theirs: { stored: R; by: string | undefined } | null;
  /** Takes the error of a save, and returns whether both versions are shown now. */
  refused(error: unknown): boolean;
  /** Continues from what is stored, with or without what was typed. */
  settle(stored?: R): void;
}

/**
 * @param opened what the form was filled with; a reload in the background does not say that it was seen
 */
export function useRead<R>(opened: R): Read<R> {
  const [read, setRead] = useState(opened);
  const [theirs, setTheirs] = useState<Read<R>['theirs']>(null);
  return {
    before: theirs ? withPart(read, theirs.stored) : read,
    theirs,
    refused(error) {
      if (!(error instanceof ApiError) || error.code !== 'STALE') return false;
      const { stored, by } = error.details;
      if (stored === undefined) return false;
      setTheirs({ stored: stored as R, by: typeof by === 'string' ? by : undefined });
      return true;
    },
    settle(stored) {
      setRead(stored ?? (theirs ? withPart(read, theirs.stored) : read));
      setTheirs(null);
    },
  };
}

/** A version of which another one may have only the fields that were to be replaced. */
function withPart<R>(whole: R, part: R): R {
  if (whole === null || part === null || typeof part !== 'object' || Array.isArray(part))
    return part;
  return { ...whole, ...part };
}

/** A form whose changes someone else may have changed too. */
export interface Stale<R, V extends FieldValues> {
  what: StaleThing;
  read: Read<R>;
  /** The form as it would be with what is stored, of which there may be only the fields to be replaced. */
  valuesIn(stored: R): V;
  /** The words for each label of the form, to compare two versions. */
  wordsOf(values: V): Record<string, string>;
  /** Fills the form with what is stored; absent: whole. */
  onTakeTheirs?(): void;
}

/** Both versions, once someone else has stored another one. */
export function StaleVersions<R, V extends FieldValues, C, B>({
  form,
  read: { theirs, settle },
  valuesIn,
  wordsOf,
  onTakeTheirs,
  ...shown
}: Stale<R, V> & { form: UseFormReturn<V, C, B>; onKeepMine(): void }) {
  if (theirs === null) return null;
  const stored = valuesIn(theirs.stored);
  const [theirWords, ownWords] = [wordsOf(stored), wordsOf(form.getValues())];
  const changes = Object.entries(theirWords).flatMap(([label, words]) => {
    const yours = ownWords[label] ?? '';
    return words === yours ? [] : [{ label, theirs: words, yours }];
  });
  const takeTheirs = () => {
    if (onTakeTheirs) onTakeTheirs();
    else form.reset(stored);
    settle();
  };
  return <StaleNotice {...shown} {...{ changes }} by={theirs.by} onTakeTheirs={takeTheirs} />;
}
