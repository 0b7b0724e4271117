import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

const MEDIA = new URL('../../bench/detectors/media/', import.meta.url);

export type Picture = 'face' | 'nobody' | 'two' | 'black' | 'portrait' | 'turned';
export type Sound = 'silence' | 'voice' | 'keyboard';

const FILES: Record<Picture | Sound, string> = {
  face: 'face-epps.jpg',
  nobody: 'none-room.jpg',
  two: 'two-jemison-ochoa.jpg',
  black: 'none-black.jpg',
  // The same person, looking into the camera and away from it.
  portrait: 'face-lindgren.jpg',
  turned: 'away-lindgren-left.jpg',
  silence: 'silence.wav',
  voice: 'voice-en-male.wav',
  keyboard: 'keyboard.wav',
};

/** A camera and a microphone in the hands of the test: what they deliver changes on command. */
export class FakeDevices {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Before the page is opened: `getUserMedia` gives pictures and sounds of ours from now on. */
  static async install(page: Page): Promise<FakeDevices> {
    const files = Object.entries(FILES).map(([name, file]) => [
      name,
      readFileSync(new URL(file, MEDIA)).toString('base64'),
    ]);
    await page.addInitScript(replaceDevices, Object.fromEntries(files));
    return new FakeDevices(page);
  }

  show(picture: Picture): Promise<void> {
    return this.#tell('show', picture);
  }

  /** The picture stands still, as one that a program repeats. */
  freeze(): Promise<void> {
    return this.#tell('freeze', '');
  }

  play(sound: Sound): Promise<void> {
    return this.#tell('play', sound);
  }

  /** The cable is pulled: the track ends, and says nothing. */
  unplug(device: 'camera' | 'microphone'): Promise<void> {
    return this.#tell('unplug', device);
  }

  /** From now on the person, or the browser, says no. */
  refuse(): Promise<void> {
    return this.#tell('refuse', '');
  }

  /** The refusal is taken back. */
  allow(): Promise<void> {
    return this.#tell('allow', '');
  }

  async #tell(what: string, value: string): Promise<void> {
    await this.#page.evaluate(
      ([name, arg]) => {
        const devices: unknown = Reflect.get(window, 'fakeDevices');
        if (typeof devices !== 'object' || devices === null) throw new Error('not installed');
        const act: unknown = Reflect.get(devices, name ?? '');
        if (typeof act === 'function') act(arg);
      },
      [what, value],
    );
  }
}

/** Runs in the page. The picture rustles a little, as a live one does. */
function replaceDevices(files: Record<string, string>): void {
  if (!('mediaDevices' in navigator)) return;
  const bytes = (name: string) => Uint8Array.from(atob(files[name] ?? ''), (c) => c.charCodeAt(0));
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 480;
  const pencil = canvas.getContext('2d');
  const remembered = sessionStorage.getItem('fake-picture') ?? 'face';
  let picture: ImageBitmap | null = null;
  const show = (name: string) => {
    sessionStorage.setItem('fake-picture', name);
    void createImageBitmap(new Blob([bytes(name)])).then((bitmap) => {
      picture = bitmap;
    });
  };
  let frozen = false;
  show(remembered);
  setInterval(() => {
    if (pencil === null || picture === null) return;
    pencil.drawImage(picture, 0, 0, canvas.width, canvas.height);
    if (frozen) return;
    for (let i = 0; i < 400; i += 1) {
      const grey = Math.floor(Math.random() * 60);
      pencil.fillStyle = `rgb(${grey} ${grey} ${grey} / 0.3)`;
      pencil.fillRect(Math.random() * 640, Math.random() * 480, 6, 6);
    }
  }, 100);

  let audio: { context: AudioContext; out: MediaStreamAudioDestinationNode } | null = null;
  let playing: AudioBufferSourceNode | null = null;
  const sound = () => {
    if (audio === null) {
      const context = new AudioContext();
      audio = { context, out: context.createMediaStreamDestination() };
      play('silence');
    }
    return audio;
  };
  const play = (name: string) => {
    const { context, out } = sound();
    void context.resume();
    void context.decodeAudioData(bytes(name).buffer).then((buffer) => {
      playing?.stop();
      playing = context.createBufferSource();
      playing.buffer = buffer;
      playing.loop = true;
      playing.connect(out);
      playing.start();
    });
  };

  const tracks: { camera: MediaStreamTrack[]; microphone: MediaStreamTrack[] } = {
    camera: [],
    microphone: [],
  };
  let refused = false;
  navigator.mediaDevices.getUserMedia = async (wishes) => {
    if (refused) throw new DOMException('Permission denied', 'NotAllowedError');
    if (wishes?.video) {
      const stream = canvas.captureStream(10);
      tracks.camera = stream.getTracks();
      return stream;
    }
    const track = sound().out.stream.getAudioTracks()[0]?.clone();
    if (track === undefined) throw new DOMException('', 'NotFoundError');
    tracks.microphone = [track];
    return new MediaStream([track]);
  };
  Reflect.set(window, 'fakeDevices', {
    show,
    freeze: () => {
      frozen = true;
    },
    play,
    unplug: (device: 'camera' | 'microphone') => {
      for (const track of tracks[device]) track.stop();
    },
    refuse: () => {
      refused = true;
    },
    allow: () => {
      refused = false;
    },
  });
}
