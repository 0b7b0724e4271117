import { expect, test } from 'vitest';
import { isVirtualCamera } from './virtual-camera.ts';

test.each([
  ['OBS Virtual Camera', true],
  ['ManyCam Virtual Webcam', true],
  ['Dummy video device (0x0000)', true],
  ['FaceTime HD Camera', false],
  ['Integrated Webcam (0c45:6723)', false],
  ['Logitech BRIO', false],
  ['Jobson HD', false],
  ['', false],
  ['/tmp/virtual/fake.mjpeg', false],
])('%s: %s', (label, expected) => {
  expect(isVirtualCamera(label)).toBe(expected);
});
