import { expect, test } from 'vitest';
import { deviceLines } from './record-details.tsx';

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
