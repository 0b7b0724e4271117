import { newId } from '../server/src/db/new-id.ts';
import type { TestApp } from './app.ts';
import type { BegunAttempt } from './factories.ts';
import { STILL } from './stills.ts';

/** Reports a violation of an attempt and makes evidence of it, which `send` uploads. */
export async function makeEvidence(
  app: TestApp,
  attempt: BegunAttempt,
  { report = {}, ...more }: { report?: object; levels?: object } = {},
) {
  const violationId: string = (await attempt.report('window_blur', report)).body.id;
  const body = { id: newId(), violationId, stills: [{ jpeg: STILL, offsetMs: -1_000 }], ...more };
  const send = () =>
    app.call('uploadEvidence', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body,
    });
  return { id: body.id, violationId, send };
}

/** Uploads evidence of a new violation: its id and that of the violation. */
export async function uploadEvidence(...given: Parameters<typeof makeEvidence>) {
  const { send, ...ids } = await makeEvidence(...given);
  const { status, text } = await send();
  if (status !== 201) throw new Error(text);
  return ids;
}
