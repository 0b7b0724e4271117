import { EvidenceUpload } from '@invigil/core/contract/attempts/evidence';
import { expect, test, vi } from 'vitest';
import { stopTime } from '../testing/browser-stubs.ts';
import { AttemptEvidence, type Upload, type UploadOutcome } from './attempt-evidence.ts';

stopTime();

const VIOLATION = '0197a0aa-0000-7000-8000-000000000001';
const PICTURE = {} as ImageBitmap;

function collecting() {
  const sent: Upload[] = [];
  const outcomes: UploadOutcome[] = [];
  const gate = {
    open: Promise.resolve(),
    /** Blocks uploads until the returned function is called. */
    close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate.open = promise;
      return resolve;
    },
  };
  const evidence = new AttemptEvidence('p', {
    makeStill: async () => 'AAAA',
    send: async (upload) => {
      sent.push(upload);
      await gate.open;
      return outcomes.shift() ?? { kind: 'sent' };
    },
  });
  /** Advances by seconds, each with a still and a level. */
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await evidence.addPicture(PICTURE);
      evidence.addLevel(12);
    }
  };
  /** Something is detected now; the server has its report at once, or never. */
  const collect = (id: string, isKnown = true) => {
    evidence.collect(id, performance.now());
    evidence.reported(id, isKnown);
  };
  return { evidence, collect, sent, pass, gate, outcomes };
}

test('uploads ten seconds before and ten after the violation in two valid uploads', async () => {
  const { collect, sent, pass } = collecting();
  await pass(30);
  collect(VIOLATION);
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
  const { evidence, collect, sent, pass } = collecting();
  await pass(12);
  evidence.collect(VIOLATION, performance.now());
  await pass(20);
  expect(sent).toEqual([]);
  evidence.reported(VIOLATION, true);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.map(({ stills }) => stills.length)).toEqual([10, 10]);
  collect('refused', false);
  await pass(12);
  expect(sent).toHaveLength(2);
});

test('sends one upload at a time', async () => {
  const { collect, sent, pass, gate } = collecting();
  await pass(12);
  const opened = gate.close();
  for (const id of ['a', 'b', 'c']) collect(id);
  await pass(11);
  expect(sent).toHaveLength(1);
  opened();
  await expect.poll(() => sent).toHaveLength(6);
});

test('holds the evidence of twelve violations during an outage, and collects again after it', async () => {
  const { evidence, collect, sent, pass } = collecting();
  await pass(12);
  const ids = Array.from({ length: 20 }, (_, i) => `v${i}`);
  for (const id of ids) evidence.collect(id, performance.now());
  await pass(20);
  for (const id of ids) evidence.reported(id, true);
  await expect.poll(() => sent).toHaveLength(24);
  collect(VIOLATION);
  await pass(12);
  expect(sent).toHaveLength(26);
});

test('retries an upload under its id before sending the next one', async () => {
  const { collect, sent, pass, outcomes } = collecting();
  await pass(12);
  outcomes.push({ kind: 'try-again', afterMs: 60_000 });
  outcomes.push({ kind: 'try-again', afterMs: null });
  collect(VIOLATION);
  await pass(59);
  expect(sent).toHaveLength(1);
  await pass(20);
  expect(sent).toHaveLength(4);
  const [first, again, third, after] = sent;
  expect(new Set([first?.id, again?.id, third?.id]).size).toBe(1);
  expect(third?.ageMs).toBeGreaterThan((again?.ageMs ?? 0) + 3_000);
  expect(after?.stills).toHaveLength(10);
});

test('does not retry a refused upload and gives up after six failures', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { evidence, collect, sent, pass, outcomes } = collecting();
  await pass(12);
  outcomes.push({ kind: 'refused', cause: 'closed' });
  for (let i = 0; i < 6; i += 1) outcomes.push({ kind: 'try-again', afterMs: null });
  collect(VIOLATION);
  await pass(300);
  expect(sent).toHaveLength(7);
  expect(warn).toHaveBeenCalledTimes(2);
  await evidence.settled();
});

test('sends what is collected so far when finished early', async () => {
  const { evidence, collect, sent, pass } = collecting();
  await pass(12);
  collect(VIOLATION);
  await pass(2);
  evidence.finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.map(({ stills }) => stills.length)).toEqual([10, 2]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(2);
});

test('uploads only the level curve without a camera, and nothing without both', async () => {
  const { evidence, collect, sent } = collecting();
  collect(VIOLATION);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(sent).toEqual([]);
  evidence.addLevel(50);
  collect(VIOLATION);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toMatchObject([{ stills: [], levels: { values: [50] } }]);
});

test('uploads the periodic still without a violation, but not an old still', async () => {
  const { evidence, sent, pass } = collecting();
  evidence.sendNewest();
  expect(sent).toEqual([]);
  await pass(3);
  evidence.sendNewest();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toMatchObject([{ violationId: null, stills: [{ offsetMs: 0 }] }]);
  await vi.advanceTimersByTimeAsync(6_000);
  evidence.sendNewest();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toHaveLength(1);
});
