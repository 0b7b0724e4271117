import type { Part } from './api.ts';
import { bytesOf, randomNumbers } from './picture.ts';

const SECONDS = 4;

/** Plays the parts together in a loop into a stream like a microphone's. */
export async function playing(context: AudioContext, parts: Part[]): Promise<MediaStream> {
  const out = context.createMediaStreamDestination();
  for (const part of parts) {
    const source = context.createBufferSource();
    source.buffer = await bufferOf(context, part);
    source.loop = true;
    const gain = context.createGain();
    gain.gain.value = 10 ** (part.gainDb / 20);
    source.connect(gain).connect(out);
    source.start();
  }
  return out.stream;
}

async function bufferOf(context: AudioContext, { wav, made }: Part): Promise<AudioBuffer> {
  if (wav !== undefined) return context.decodeAudioData(bytesOf(wav).buffer);
  const buffer = context.createBuffer(1, SECONDS * context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  const random = randomNumbers();
  let low = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const white = random() * 2 - 1;
    low += (white - low) * 0.05;
    const t = i / context.sampleRate;
    samples[i] = made === 'white' ? white : made === 'pink' ? low * 3 : chord(t);
  }
  return buffer;
}

/** C major with overtones, struck twice a second. */
function chord(t: number): number {
  const fade = Math.exp(-3 * (t % 0.5));
  const notes = [261.6, 329.6, 392];
  const wave = (hertz: number) =>
    [1, 2, 3].reduce((sum, n) => sum + Math.sin(2 * Math.PI * hertz * n * t) / (n * 6), 0);
  return fade * notes.reduce((sum, hertz) => sum + wave(hertz), 0);
}

/** The specification's level: the mean of the analyser's bytes. */
export function specificationMeter(context: AudioContext, stream: MediaStream): () => number {
  const analyser = context.createAnalyser();
  analyser.fftSize = 256;
  context.createMediaStreamSource(stream).connect(analyser);
  const bytes = new Uint8Array(analyser.frequencyBinCount);
  return () => {
    analyser.getByteFrequencyData(bytes);
    return bytes.reduce((sum, value) => sum + value, 0) / bytes.length;
  };
}
