import { Users } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../net/api.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { scrollIntoView } from '../ui/scroll-into-view.ts';

/** The server's sentence asks to reload; here both versions are already on the screen. */
export const STALE_SENTENCE = 'Someone else has changed it. Both versions are shown.';

/** A field that two people have changed, in words. */
export interface Different {
  label: string;
  theirs: string;
  yours: string;
}

/** Someone else has saved: what differs, and which version to keep. */
export function StaleNotice({
  what,
  by = 'Someone else',
  changes = [],
  onTakeTheirs,
  onKeepMine,
  children,
}: {
  what: string;
  by?: string | undefined;
  changes?: readonly Different[];
  onTakeTheirs(): void;
  onKeepMine(): void;
  children?: ReactNode;
}) {
  return (
    <div ref={scrollIntoView} className="scroll-mt-32 md:scroll-mt-20">
      <Notice tone="warn" role="alert" icon={<Users />} title={`${by} has changed this ${what}`}>
        <p>Your changes are still here. Nothing was overwritten.</p>
        {changes.length > 0 && (
          <dl className="my-2 grid gap-1 wrap-anywhere">
            {changes.map(({ label, theirs, yours }) => (
              <div key={label}>
                <dt className="inline font-medium">{label}: </dt>
                <dd className="inline">{`theirs “${theirs || '–'}”, yours “${yours || '–'}”`}</dd>
              </div>
            ))}
          </dl>
        )}
        {children}
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="dense" onClick={onTakeTheirs}>
            Use their version
          </Button>
          <Button size="dense" onClick={onKeepMine}>
            Save my version
          </Button>
        </div>
      </Notice>
    </div>
  );
}

/** What a form was filled with, and what someone else has stored since. */
export interface Read<R> {
  /** To be sent as `before`. */
  before: R;
  /** Once a save was refused because of it. */
  theirs: { stored: R; by: string | undefined } | null;
  /** For the error of a save: whether both versions are shown now. */
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
  if (whole === null || part === null || typeof part !== 'object') return part;
  return { ...whole, ...part };
}

export interface Stale {
  what: string;
  // biome-ignore lint/suspicious/noExplicitAny: of whatever the form is about
  read: Read<any>;
  changes: readonly Different[];
  /** Fills the form with what is stored. */
  onTakeTheirs(): void;
}

/** Both versions, once someone else has stored another one. */
export function StaleVersions({
  read: { theirs, settle },
  onTakeTheirs,
  ...shown
}: Stale & { onKeepMine(): void }) {
  if (theirs === null) return null;
  const takeTheirs = () => {
    onTakeTheirs();
    settle();
  };
  return <StaleNotice {...shown} by={theirs.by} onTakeTheirs={takeTheirs} />;
}

/** What differs between two versions, by their words for each label; theirs may have only some of them. */
export const differences = (
  theirs: Record<string, string>,
  yours: Record<string, string>,
): Different[] =>
  Object.keys(theirs).flatMap((label) => {
    const [one = '', other = ''] = [theirs[label], yours[label]];
    return one === other ? [] : [{ label, theirs: one, yours: other }];
  });
