import { readFileSync } from 'node:fs';

const MEDIA = new URL('../../bench/detectors/media/', import.meta.url);

export type Picture = 'face' | 'empty' | 'two' | 'black' | 'portrait' | 'turned';
export type Sound = 'silence' | 'voice' | 'keyboard';

const FILES: Record<Picture | Sound, string> = {
  face: 'face-epps.jpg',
  empty: 'none-room.jpg',
  two: 'two-jemison-ochoa.jpg',
  black: 'none-black.jpg',
  // The same person, looking into the camera and away from it.
  portrait: 'face-lindgren.jpg',
  turned: 'away-lindgren-left.jpg',
  silence: 'silence.wav',
  voice: 'voice-en-male.wav',
  keyboard: 'keyboard.wav',
};

/** The used part of a page, of Playwright's or of Firefox. */
interface Scripted {
  // biome-ignore lint/suspicious/noExplicitAny: the argument is the script's own
  addInitScript(script: (arg: any) => void, arg: unknown): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  evaluate(script: (arg: any) => void, arg: unknown): Promise<unknown>;
}

/** A camera and a microphone that the test controls. */
export class FakeDevices {
  readonly #page: Scripted;

  private constructor(page: Scripted) {
    this.#page = page;
  }

  /** Replaces the devices before the page is opened: `getUserMedia` returns our pictures and sounds. */
  static async install(page: Scripted): Promise<FakeDevices> {
    const files = Object.entries(FILES).map(([name, file]) => [
      name,
      readFileSync(new URL(file, MEDIA)).toString('base64'),
    ]);
    await page.addInitScript(replaceDevices, Object.fromEntries(files));
    return new FakeDevices(page);
  }

  /** Gives the computer two cameras with the same picture, before the page is opened. */
  async haveTwoCameras(): Promise<void> {
    await this.#page.addInitScript((_: null) => {
      if (!('mediaDevices' in navigator)) return;
      const cameras = [
        ['built-in', 'Built-in camera'],
        ['desk', 'Desk camera'],
      ] as const;
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (constraints) => {
        const stream = await open(constraints);
        const video = constraints?.video;
        const wanted = typeof video === 'object' ? video.deviceId : undefined;
        const ideal = typeof wanted === 'object' && 'ideal' in wanted ? wanted.ideal : undefined;
        const [id, label] = cameras.find(([one]) => one === ideal) ?? cameras[0];
        for (const track of stream.getVideoTracks()) {
          Object.defineProperty(track, 'label', { value: label });
          track.getSettings = () => ({ deviceId: id });
        }
        return stream;
      };
      navigator.mediaDevices.enumerateDevices = async () =>
        cameras.map(([deviceId, label]) => {
          const device = { deviceId, label, groupId: '', kind: 'videoinput' as const };
          return { ...device, toJSON: () => device };
        });
    }, null);
  }

  show(picture: Picture): Promise<void> {
    return this.#call('show', picture);
  }

  /** Repeats the same picture, as a program would. */
  freeze(): Promise<void> {
    return this.#call('freeze', '');
  }

  play(sound: Sound): Promise<void> {
    return this.#call('play', sound);
  }

  /** Unplugs the device: the track ends without an event. */
  unplug(device: 'camera' | 'microphone'): Promise<void> {
    return this.#call('unplug', device);
  }

  /** Denies permission from now on. */
  refuse(): Promise<void> {
    return this.#call('refuse', '');
  }

  /** Grants permission again. */
  allow(): Promise<void> {
    return this.#call('allow', '');
  }

  async #call(what: string, value: string): Promise<void> {
    await this.#page.evaluate(
      ([name, arg]: [string, string]) => {
        const devices: unknown = Reflect.get(window, 'fakeDevices');
        if (typeof devices !== 'object' || devices === null) throw new Error('not installed');
        const act: unknown = Reflect.get(devices, name ?? '');
        if (typeof act === 'function') act(arg);
      },
      [what, value],
    );
  }
}

/** Runs in the page. The picture has some noise, as a live one does. */
function replaceDevices(files: Record<string, string>): void {
  if (!('mediaDevices' in navigator)) return;
  const bytes = (name: string) => Uint8Array.from(atob(files[name] ?? ''), (c) => c.charCodeAt(0));
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 480;
  const drawing = canvas.getContext('2d');
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
    if (drawing === null || picture === null) return;
    drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
    if (frozen) return;
    for (let i = 0; i < 400; i += 1) {
      const gray = Math.floor(Math.random() * 60);
      drawing.fillStyle = `rgb(${gray} ${gray} ${gray} / 0.3)`;
      drawing.fillRect(Math.random() * 640, Math.random() * 480, 6, 6);
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
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    if (refused) throw new DOMException('Permission denied', 'NotAllowedError');
    if (constraints?.video) {
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
