import { useEffect, useEffectEvent, useState } from 'react';
import { z } from 'zod';
import { questionDraftKey } from '../../../../lib/person/local-keys.ts';
import { useSession } from '../../../../lib/person/session.tsx';
import { QuestionValues } from './question-values.ts';

const Content = z.object({
  /** The version that was edited; 0: a new question. */
  version: z.int(),
  values: QuestionValues,
});

const SAVE_AFTER_MS = 400;

/**
 * Keeps unsaved changes of a question on this device, so that a reload or a crash loses none. They are
 * removed when they are saved, when the editor is left otherwise, at sign-out, for another account, and
 * after 12 hours.
 *
 * @returns what an earlier page left, to be offered once
 */
export function useDeviceDraft(
  place: string,
  { values, isDirty, version }: { values: QuestionValues; isDirty: boolean; version: number },
) {
  const by = useSession().account?.user.id ?? '';
  const key = questionDraftKey(place, Content);
  const [found, setFound] = useState(() => key.read());
  const write = useEffectEvent(() => {
    if (isDirty) key.write({ by, at: Date.now(), version, values });
    // What was found stays until it is restored or discarded.
    else if (found === null) key.remove();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is the reason
  useEffect(() => {
    const timer = setTimeout(write, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [values, isDirty, version]);
  const leave = useEffectEvent(() => {
    if (isDirty || found === null) key.remove();
  });
  useEffect(() => {
    const onHide = () => write();
    window.addEventListener('pagehide', onHide);
    return () => {
      window.removeEventListener('pagehide', onHide);
      leave();
    };
  }, []);
  return {
    found,
    /** Restored or discarded. */
    settle: () => {
      setFound(null);
      key.remove();
    },
  };
}
