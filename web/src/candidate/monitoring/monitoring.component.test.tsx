import { expect, onTestFinished, test, vi } from 'vitest';
import { attemptEngines, attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import type { FaceReport } from '../../proctoring/detectors/sensor-reports.ts';
import { ATTEMPT } from '../../testing/fixtures.ts';
import { Monitoring } from './monitoring.ts';

/** A camera whose picture changes. */
function camera(): MediaStream {
  const canvas = document.createElement('canvas');
  const stream = canvas.captureStream();
  const timer = setInterval(() => {
    canvas.getContext('2d')?.fillRect(Math.random() * canvas.width, 0, 9, 9);
  }, 50);
  onTestFinished(() => clearInterval(timer));
  return stream;
}

test('reports an absence once where no warning can be seen', async () => {
  const nobody: FaceReport = {
    ...{ verdict: 'no', reason: null, faces: 0, boxes: [], yaw: null, pitch: null },
    ...{ brightness: 120, motion: 3, engine: 'model', tookMs: 5 },
  };
  const check = vi.fn(async (picture: ImageBitmap) => {
    picture.close();
    return nobody;
  });
  vi.spyOn(attemptEngines, 'face', 'get').mockReturnValue({
    engine: 'model',
    check,
    close: () => undefined,
  });
  const idle = attemptMonitor.getSnapshot();
  const granted = { kind: 'granted', stream: camera() } as const;
  vi.spyOn(attemptMonitor, 'getSnapshot').mockReturnValue({ ...idle, camera: granted });
  vi.spyOn(attemptMonitor, 'showFace').mockReturnValue();
  const reports: { id: string; violationType: string; unseen?: boolean }[] = [];
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    if (!url.endsWith('/api/violations')) return Response.json({ id: 'e' });
    const report = JSON.parse(`${body}`);
    reports.push(report);
    const counts = { counted: false, violationCount: 0, remaining: 3, status: 'in_progress' };
    return Response.json({ id: report.id, ...counts }, { status: 201 });
  });
  // Ten times as fast: a camera warms up for three seconds.
  const now = performance.now.bind(performance);
  const begun = now();
  vi.spyOn(performance, 'now').mockImplementation(() => begun + 10 * (now() - begun));

  const face = { everyMs: 250, misses: 1 };
  const policy = { ...ATTEMPT.policy, face, cooldownMs: 0 };
  const monitoring = new Monitoring({
    participant: { ...ATTEMPT, policy },
    plan: { policy, devices: ['camera'], fullscreen: false, soundEveryMs: 300, baseline: null },
    onAnswer: () => undefined,
  });
  monitoring.begin();
  const absences = () =>
    reports.filter(({ violationType }) => violationType === 'face_not_detected');
  await expect.poll(absences).toMatchObject([{ unseen: true }]);
  const checked = check.mock.calls.length;
  await expect.poll(() => check.mock.calls.length).toBeGreaterThan(checked + 5);
  expect(absences()).toHaveLength(1);
  monitoring.stop();
  await monitoring.evidenceSettled();
});
