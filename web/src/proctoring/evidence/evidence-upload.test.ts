import { EvidenceUpload } from '@invigil/core/contract/attempts/evidence';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EvidenceRing } from './evidence-ring.ts';
import { EvidenceSender, type SendOutcome, type Upload } from './evidence-upload.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const VIOLATION = '0197a0aa-0000-7000-8000-000000000001';

function evidence() {
  const ring = new EvidenceRing();
  const sent: Upload[] = [];
  const answers: SendOutcome[] = [];
  const lost: unknown[] = [];
  const began = Date.now();
  const now = () => Date.now() - began;
  let id = 0;
  const gate = {
    open: Promise.resolve(),
    /** Blocks uploads until the returned function is called. */
    close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate.open = promise;
      return resolve;
    },
  };
  const sender = new EvidenceSender({
    ring,
    send: async (upload) => {
      sent.push(upload);
      await gate.open;
      return answers.shift() ?? { kind: 'sent' };
    },
    onLost: (cause) => void lost.push(cause),
    newId: () => {
      id += 1;
      return `0197a0aa-0000-7000-8000-${String(id).padStart(12, '0')}`;
    },
    now,
  });
  /** Advances by seconds, each with a still and three levels. */
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      ring.addStill({ at: now(), jpeg: 'AAAA' });
      for (const part of [0, 300, 600]) ring.addLevel({ at: now() + part, level: 12 });
    }
  };
  return { ring, sender, sent, now, pass, gate, answers, lost };
}

test('uploads ten seconds before and ten after the violation in two valid uploads', async () => {
  const { sender, sent, now, pass } = evidence();
  await pass(30);
  sender.collect(VIOLATION, now(), Promise.resolve(true));
  await pass(11);
  expect(sent).toHaveLength(2);
  const [before, after] = sent;
  expect(before?.stills.map(({ offsetMs }) => offsetMs)).toEqual([
    -9_000, -8_000, -7_000, -6_000, -5_000, -4_000, -3_000, -2_000, -1_000, 0,
  ]);
  expect(after?.stills[0]?.offsetMs).toBe(1_000);
  expect(after?.stills).toHaveLength(10);
  for (const upload of sent) {
    expect(upload.violationId).toBe(VIOLATION);
    expect(EvidenceUpload.safeParse(upload).error).toBeUndefined();
  }
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
});

test('uploads nothing until the server has the violation, or if it never does', async () => {
  const { sender, sent, now, pass } = evidence();
  await pass(12);
  const known = Promise.withResolvers<boolean>();
  sender.collect(VIOLATION, now(), known.promise);
  await pass(20);
  expect(sent).toEqual([]);
  known.resolve(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.map(({ stills }) => stills.length)).toEqual([10, 10]);
  sender.collect(VIOLATION, now(), Promise.resolve(false));
  await pass(12);
  expect(sent).toHaveLength(2);
});

test('sends one upload at a time', async () => {
  const { sender, sent, now, pass, gate } = evidence();
  await pass(12);
  const opened = gate.close();
  for (const id of ['a', 'b', 'c']) sender.collect(id, now(), Promise.resolve(true));
  await pass(20);
  expect(sent).toHaveLength(1);
  opened();
  await expect.poll(() => sent).toHaveLength(6);
});

test('holds the evidence of twelve violations during an outage, and collects again after it', async () => {
  const { sender, sent, now, pass } = evidence();
  await pass(12);
  const known = Promise.withResolvers<boolean>();
  for (let i = 0; i < 20; i += 1) sender.collect(`v${i}`, now(), known.promise);
  await pass(20);
  known.resolve(true);
  await expect.poll(() => sent).toHaveLength(24);
  sender.collect(VIOLATION, now(), Promise.resolve(true));
  await pass(12);
  expect(sent).toHaveLength(26);
});

test('retries an upload under its id before sending the next one', async () => {
  const { sender, sent, now, pass, answers, lost } = evidence();
  await pass(12);
  answers.push({ kind: 'again', afterMs: 60_000, cause: '429' });
  answers.push({ kind: 'again', afterMs: null, cause: 'no network' });
  sender.collect(VIOLATION, now(), Promise.resolve(true));
  await pass(59);
  expect(sent).toHaveLength(1);
  await pass(20);
  expect(sent).toHaveLength(4);
  const [first, again, third, after] = sent;
  expect(new Set([first?.id, again?.id, third?.id]).size).toBe(1);
  expect(third?.ageMs).toBeGreaterThan((again?.ageMs ?? 0) + 3_000);
  expect(after?.stills).toHaveLength(10);
  expect(lost).toEqual([]);
});

test('does not retry a refused upload and gives up after six failures', async () => {
  const { sender, sent, now, pass, answers, lost } = evidence();
  await pass(12);
  answers.push({ kind: 'refused', cause: 'closed' });
  for (let i = 0; i < 6; i += 1) answers.push({ kind: 'again', afterMs: null, cause: `try ${i}` });
  sender.collect(VIOLATION, now(), Promise.resolve(true));
  await pass(300);
  expect(sent).toHaveLength(7);
  expect(lost).toEqual(['closed', 'try 5']);
  await sender.settled();
});

test('sends what is collected so far when finished early', async () => {
  const { sender, sent, now, pass } = evidence();
  await pass(12);
  sender.collect(VIOLATION, now(), Promise.resolve(true));
  await pass(2);
  sender.finishAll();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.map(({ stills }) => stills.length)).toEqual([10, 2]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(2);
});

test('uploads only the level curve without a camera, and nothing without both', async () => {
  const { ring, sender, sent, now } = evidence();
  sender.collect(VIOLATION, now(), Promise.resolve(true));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(sent).toEqual([]);
  ring.addLevel({ at: now(), level: 50 });
  sender.collect(VIOLATION, now(), Promise.resolve(true));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toMatchObject([{ stills: [], levels: { values: [50] } }]);
});

test('uploads the periodic still without a violation, but not an old still', async () => {
  const { sender, sent, pass } = evidence();
  sender.sendNewest();
  expect(sent).toEqual([]);
  await pass(3);
  sender.sendNewest();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toMatchObject([{ violationId: null, stills: [{ offsetMs: 0 }] }]);
  await vi.advanceTimersByTimeAsync(6_000);
  sender.sendNewest();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toHaveLength(1);
});
