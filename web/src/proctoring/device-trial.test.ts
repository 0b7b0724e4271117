import { expect, test } from 'vitest';
import { DARK, FACE, sound } from '../testing/sensor-reports.ts';
import { Trial } from './device-trial.ts';

const PRESENT = { ...FACE, yaw: 3, pitch: 5, brightness: 99.6, tookMs: 41.2 };

test('finds a face after two positive samples in a row and keeps it found', () => {
  const trial = new Trial();
  trial.addFace(PRESENT);
  trial.addFace(DARK);
  expect(trial.result).toMatchObject({ faceFound: false, cannotTell: 'dark' });
  trial.addFace(PRESENT);
  trial.addFace(PRESENT);
  trial.addFace(DARK);
  expect(trial.result).toMatchObject({ faceFound: true, cannotTell: 'dark' });
});

test('reports several people only while they are in view', () => {
  const trial = new Trial();
  trial.addFace({ ...PRESENT, faces: 2 });
  expect(trial.result.severalPeople).toBe(true);
  trial.addFace(PRESENT);
  expect(trial.result.severalPeople).toBe(false);
});

test('shows that it starts until the camera has a picture, or has none for long', () => {
  const noFrame = { ...DARK, reason: 'no-frame' } as const;
  const trial = new Trial();
  const shown = (...reports: (typeof FACE)[]) =>
    reports.map((report) => {
      trial.addFace(report);
      return trial.shown;
    });
  expect(trial.shown).toBe('starting');
  expect(shown(noFrame, noFrame, PRESENT, PRESENT)).toEqual([
    ...['starting', 'starting', 'starting', 'ok'],
  ]);
  // Lost afterwards, nothing can be told.
  expect(shown(noFrame, DARK)).toEqual(['cannot-tell', 'cannot-tell']);
  const without = new Trial();
  for (let i = 0; i < 6; i += 1) without.addFace(noFrame);
  expect(without.shown).toBe('cannot-tell');
});

test('detects a spoken sentence, not typing, and falls back to the level without a model', () => {
  const trial = new Trial();
  for (let i = 0; i < 5; i += 1) trial.addSound(sound(-30, 0), -60);
  expect(trial.result.spoken).toBe(false);
  for (let i = 0; i < 2; i += 1) trial.addSound(sound(-40, 0.9), -60);
  expect(trial.result).toMatchObject({ spoken: true, spokenLevel: 40 });
  const byLevel = new Trial();
  byLevel.addSound(sound(-30, null), null);
  for (let i = 0; i < 2; i += 1) byLevel.addSound(sound(-45, null), -60);
  expect(byLevel.result).toMatchObject({ spoken: true, spokenLevel: 30 });
});

test('records engine, sample time, brightness, head pose and voice with the attempt', () => {
  const trial = new Trial();
  for (let i = 0; i < 5; i += 1) trial.addFace(PRESENT);
  trial.addSound(sound(-60, 0), -60);
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
    faceCannotTell: null,
    soundCannotTell: null,
  });
  expect(Object.values(new Trial().report())).not.toContain(undefined);
});

test('says why the sound cannot be measured, or that there is only silence', () => {
  const trial = new Trial();
  trial.addSound({ ...sound(null, null), reason: 'no-clock' }, null);
  expect(trial.result.noSound).toBe('no-clock');
  for (let i = 0; i < 20; i += 1) trial.addSound(sound(-100, null), null);
  expect(trial.result.noSound).toBe('silent');
  trial.addSound(sound(-60, null), null);
  expect(trial.result.noSound).toBeNull();
  expect(trial.report()).toMatchObject({ soundCannotTell: null });
});
