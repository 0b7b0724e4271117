import { expect } from 'vitest';
import { newId } from '../../server/src/db/new-id.ts';
import { expectRefusal } from './candidate-steps.ts';
import type { Detected } from './model.ts';
import type { Play } from './play.ts';

/** The page detects several things, one right after the other (I14, I15). */
export async function detect(play: Play, types: readonly Detected[]): Promise<void> {
  for (const type of types) await report(play, type, newId());
}

/** The last report is repeated, as when its reply was lost: it gets the first reply (I14). */
export async function detectAgain(play: Play): Promise<void> {
  const { current } = play;
  if (!current?.lastReport) return;
  const { id, type, answer } = current.lastReport;
  const reply = await play.ask('reportViolation', bodyOf(current.id, type, id));
  if (!reply) return;
  expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: answer });
}

async function report(play: Play, type: Detected, id: string): Promise<void> {
  const { current } = play;
  if (!current) return;
  const reply = await play.ask('reportViolation', bodyOf(current.id, type, id));
  if (!reply) return;
  if (!current.isOpen(play.now)) return expectRefusal(reply, 403, 'ATTEMPT_CLOSED');
  const counted = current.detect(type, play.now);
  const { shownViolations: violationCount } = current;
  expect(reply).toMatchObject({ status: 201, body: { id, counted, violationCount } });
  current.lastReport = { id, type, answer: reply.text };
}

/** The specification's counter: it is displayed, and never ends an attempt. */
export async function count(play: Play): Promise<void> {
  const { current } = play;
  if (!current) return;
  const reply = await play.ask('countViolation', { params: { id: current.id } });
  if (!reply) return;
  if (!current.isOpen(play.now)) return expectRefusal(reply, 403, 'ATTEMPT_CLOSED');
  current.calls += 1;
  expect(reply.body).toEqual({ violationCount: current.shownViolations });
}

function bodyOf(participantId: string, violationType: Detected, id: string) {
  return { body: { participantId, violationType, id } };
}
