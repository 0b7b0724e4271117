import { useEffect, useEffectEvent, useState } from 'react';
import { z } from 'zod';
import { newId } from '../../../../lib/new-id.ts';
import { questionDraftKey, questionDraftKeys } from '../../../../lib/person/local-keys.ts';
import { useSession } from '../../../../lib/person/session.tsx';
import { QuestionValues } from './question-values.ts';

const Content = z.object({
  /** The version that was edited; 0: a new question. */
  version: z.int(),
  values: QuestionValues,
});

const SAVE_AFTER_MS = 400;

export interface FoundDraft extends z.infer<typeof Content> {
  key: { readonly name: string; remove(): void };
  /** milliseconds since 1970, of this device */
  at: number;
}

/**
 * Keeps unsaved changes of a question on this device, so that a reload or a crash loses none. They are
 * removed when they are saved, when the editor is left otherwise, at sign-out, for another account, and
 * after 12 hours. What earlier pages left stays beside them until it is restored or discarded.
 *
 * @returns what earlier pages left, the latest first, to be offered once
 */
export function useDeviceDraft(
  place: string,
  { values, isDirty, version }: { values: QuestionValues; isDirty: boolean; version: number },
) {
  const by = useSession().account?.user.id ?? '';
  const [page] = useState(newId);
  const key = questionDraftKey(`${place}.${page}`, Content);
  const [found, setFound] = useState(() => ({ place, drafts: findDrafts(place) }));
  const write = useEffectEvent(() => {
    if (isDirty) key.write({ by, at: Date.now(), version, values });
    else key.remove();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is the reason
  useEffect(() => {
    const timer = setTimeout(write, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [values, isDirty, version]);
  useEffect(() => {
    const onHide = () => write();
    window.addEventListener('pagehide', onHide);
    return () => window.removeEventListener('pagehide', onHide);
  }, []);
  // Left, or a new question that got its id.
  useEffect(() => () => questionDraftKey(`${place}.${page}`, Content).remove(), [place, page]);
  return {
    /** Drafts of other new questions do not belong to the one that was created. */
    found: found.place === place ? found.drafts : [],
    /** Restored or discarded. */
    settle: (settled: FoundDraft) => {
      setFound({ place, drafts: found.drafts.filter((draft) => draft !== settled) });
      settled.key.remove();
    },
  };
}

function findDrafts(place: string): FoundDraft[] {
  return questionDraftKeys(place, Content)
    .flatMap((key) => {
      const draft = key.read();
      return draft === null ? [] : [{ ...draft, key }];
    })
    .sort((a, b) => b.at - a.at);
}
