import { expect, test } from 'vitest';
import type { FaceReport, SoundReport } from './detectors/sensor-reports.ts';
import { Trial } from './device-trial.ts';

const LOOK: FaceReport = {
  verdict: 'yes',
  reason: null,
  faces: 1,
  boxes: [],
  yaw: 3,
  pitch: 5,
  brightness: 99.6,
  motion: 4,
  engine: 'model',
  tookMs: 41.2,
};
const DARK: FaceReport = {
  ...LOOK,
  verdict: 'cannot-tell',
  reason: 'dark',
  faces: null,
  yaw: null,
  pitch: null,
};
const heard = (levelDb: number, speech: number | null): SoundReport => ({
  levelDb,
  speech,
  engine: speech === null ? 'level' : 'model',
});

test('a face is found after two looks in a row, and stays found', () => {
  const trial = new Trial();
  trial.look(LOOK);
  trial.look(DARK);
  expect(trial.findings).toMatchObject({ faceFound: false, cannotTell: 'dark' });
  trial.look(LOOK);
  trial.look(LOOK);
  trial.look(DARK);
  expect(trial.findings).toMatchObject({ faceFound: true, cannotTell: 'dark' });
});

test('several people are said as long as they are there', () => {
  const trial = new Trial();
  trial.look({ ...LOOK, faces: 2 });
  expect(trial.findings.crowd).toBe(true);
  trial.look(LOOK);
  expect(trial.findings.crowd).toBe(false);
});

test('typing is not speaking; a sentence is; without a model the level tells', () => {
  const trial = new Trial();
  for (let i = 0; i < 5; i += 1) trial.hear(heard(-30, 0), -60);
  expect(trial.findings.spoken).toBe(false);
  for (let i = 0; i < 2; i += 1) trial.hear(heard(-40, 0.9), -60);
  expect(trial.findings).toMatchObject({ spoken: true, spokenLevel: 40 });
  const byLevel = new Trial();
  byLevel.hear(heard(-30, null), null);
  for (let i = 0; i < 2; i += 1) byLevel.hear(heard(-45, null), -60);
  expect(byLevel.findings).toMatchObject({ spoken: true, spokenLevel: 30 });
});

test('what is kept with the attempt: engine, time of a look, light, where the person looks, voice', () => {
  const trial = new Trial();
  for (let i = 0; i < 5; i += 1) trial.look(LOOK);
  trial.hear(heard(-60, 0), -60);
  expect(trial.report()).toEqual({
    faceFound: true,
    faces: 1,
    faceEngine: 'model',
    faceMs: 41,
    brightness: 100,
    baselineYaw: 3,
    baselinePitch: 5,
    spoken: false,
    spokenLevel: null,
    soundEngine: 'model',
  });
  expect(Object.values(new Trial().report())).not.toContain(undefined);
});
