import {
  OFF_POLICY,
  REVIEW_POLICY,
  STRICT_POLICY,
} from '@invigil/core/domain/violations/violation-policy';
import { recordedLimits } from '@invigil/core/texts/policy-form';
import { expect, test } from 'vitest';
import { deviceLines } from './record-details.tsx';

const lines = (change: object = {}, phonesOnly = false) =>
  recordedLimits({ ...STRICT_POLICY, ...change }, !phonesOnly);

test('is empty if nothing ends automatically', () => {
  expect(lines(REVIEW_POLICY)).toEqual([]);
  expect(lines(OFF_POLICY)).toEqual([]);
});

test('lists the limits of Strict with the types of the combined limit', () => {
  expect(lines()).toEqual([
    '3 face and voice violations combined',
    '3 face violations',
    '5 voice violations',
    '5 fullscreen exits',
    'The first tab switch',
  ]);
});

test('names the only type in a combined limit', () => {
  expect(lines({ combinedTypes: ['voice_detected'] })[0]).toBe(
    '3 voice violations, the only kind that counts toward the combined limit',
  );
  expect(lines({ combinedTypes: [] })[0]).toBe('3 face violations');
});

test('ignores a sensor that was off', () => {
  expect(lines({ camera: false, fullscreen: false })).toEqual([
    '3 voice violations, the only kind that counts toward the combined limit',
    '5 voice violations',
    'The first tab switch',
  ]);
});

test('has no camera limit on a phone, where leaving the page is a warning', () => {
  expect(lines({}, true)).toEqual([
    '3 voice violations, the only kind that counts toward the combined limit',
    '5 voice violations',
    '5 fullscreen exits and tab switches together',
  ]);
  expect(lines({ fullscreen: false }, true)).toContain('5 tab switches');
});

test.each([
  ['warn', '5 fullscreen exits and tab switches together'],
  ['record', '5 fullscreen exits'],
])('a tab switch that is to %s', (tabHidden, line) => {
  expect(lines({ tabHidden }).at(-1)).toBe(line);
});

test('labels reported values and omits unknown ones', () => {
  expect(
    deviceLines({
      odd: 'a_b',
      roomFloorDb: 38,
      camera: 'granted',
      mobile: false,
      cameraLabel: null,
      echoCancellation: 'false',
      soundEngine: 'model',
      faceCannotTell: 'falsified',
    }),
  ).toEqual([
    { label: 'Phone or tablet', value: 'No' },
    { label: 'Camera', value: 'Granted' },
    { label: 'Room level', value: '38 dB' },
    {
      label: 'Face not checked',
      value: 'The browser, or an add-on in it, changes what sensors deliver',
    },
    { label: 'Voice detected by', value: 'detection model' },
    { label: 'Echo cancellation', value: 'No' },
    { label: 'odd', value: 'a_b' },
  ]);
  expect(deviceLines(null)).toEqual([]);
});
