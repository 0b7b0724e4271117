import { allowOwnScripts } from '../../../web/src/app/frame/allow-own-scripts.ts';
import { stillMaker } from '../../../web/src/proctoring/attempt-evidence.ts';
import { skinRule } from '../../../web/src/proctoring/engines/basic-face.ts';
import { type Engines, loadEngines } from '../../../web/src/proctoring/engines/load-engines.ts';
import { frameGrabber } from '../../../web/src/proctoring/sensors/frame-grabber.ts';
import type { DetectorsPage, SoundReport } from './api.ts';
import { variedPicture } from './picture.ts';
import { playing, specificationMeter } from './sound.ts';

// Allow scripts as the app does: the page has the app's policy.
allowOwnScripts();

/** Defaults of an attempt (specification 9). */
const SOUND_EVERY_MS = 300;
const CHECK_EVERY_MS = 1_000;
const STILL_BYTES = 20_000;
const PLAIN = { name: 'plain', light: 1, scale: 1, shift: 0, noise: 0, specks: 0 };

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
let engines: Engines | null = null;

function loaded(): Engines {
  if (engines === null) throw new Error('load first');
  return engines;
}

const page: DetectorsPage = {
  async load() {
    const from = performance.now();
    engines = loadEngines({ face: true, voice: true, onProgress: () => undefined });
    await engines.ready;
    return { ms: performance.now() - from, engine: engines.face.engine };
  },

  async check(jpeg, variation) {
    const picture = await variedPicture(jpeg, variation);
    const specification = skinRule(picture).face;
    const report = await loaded().face.check(await createImageBitmap(picture));
    return { specification, report };
  },

  async listen(parts, ms) {
    const ended = new AbortController();
    const context = new AudioContext();
    const stream = await playing(context, parts);
    const specificationLevel = specificationMeter(context, stream);
    const reports: SoundReport[] = [];
    loaded().listen(
      stream,
      SOUND_EVERY_MS,
      ({ levelDb, speech }) => {
        if (levelDb !== null)
          reports.push({ levelDb, speech, specificationLevel: specificationLevel() });
      },
      ended.signal,
    );
    await pause(ms);
    ended.abort();
    await context.close();
    return reports;
  },

  async checkOften(jpeg, times) {
    const picture = await variedPicture(jpeg, PLAIN);
    const took: number[] = [];
    while (took.length < times) {
      const report = await loaded().face.check(await createImageBitmap(picture));
      if (report.verdict === 'yes') {
        took.push(report.tookMs);
        continue;
      }
      if (report.reason !== 'slow' && report.reason !== 'not-loaded') {
        throw new Error(`the face is ${report.verdict}, ${report.reason}`);
      }
      // A busy machine: the worker is restarted.
      await pause(CHECK_EVERY_MS);
    }
    return took;
  },

  async monitor(ms) {
    const ended = new AbortController();
    const media = navigator.mediaDevices;
    const video = document.createElement('video');
    video.muted = true;
    video.srcObject = await media.getUserMedia({ video: { width: 640, height: 480 } });
    document.body.append(video);
    await video.play();
    const processing = {
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
    };
    const microphone = await media.getUserMedia({ audio: processing });
    const counts = { checks: 0, model: 0 };
    loaded().listen(microphone, SOUND_EVERY_MS, () => undefined, ended.signal);
    const grab = frameGrabber(video);
    const makeStill = stillMaker();
    for (const from = performance.now(); performance.now() - from < ms; ) {
      const next = pause(CHECK_EVERY_MS);
      const frame = await grab();
      if (frame !== null) {
        void makeStill(frame, STILL_BYTES);
        const { engine } = await loaded().face.check(frame);
        counts.checks += 1;
        if (engine === 'model') counts.model += 1;
      }
      await next;
    }
    ended.abort();
    video.remove();
    return counts;
  },
};

window.detectors = page;
