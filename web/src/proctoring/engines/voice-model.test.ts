import { describe, expect, it } from 'vitest';
import { FakeWorker } from '../../testing/fake-worker.ts';
import { VoiceModel } from './load-engines.ts';

const kindOf = (call: unknown) => (call as { kind: string }).kind;

function modelWith(answer: unknown) {
  const workers: FakeWorker[] = [];
  const model = new VoiceModel({
    folder: '/assets/voice-1/',
    spawn: () => {
      const worker = new FakeWorker((call) => (kindOf(call) === 'counts' ? answer : 'ok'));
      workers.push(worker);
      return worker;
    },
  });
  const source = {
    rateHz: 48_000,
    connected: 0,
    connect: () => {
      source.connected += 1;
      return {} as MessagePort;
    },
  };
  return { model, workers, source };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('the share of speech', () => {
  it('is null until the model is ready and has a stream', async () => {
    const { model, source } = modelWith({ frames: 9, speech: 9 });
    expect(await model.speechShare()).toBeNull();
    await model.open();
    expect(await model.speechShare()).toBeNull();
    model.listen(source);
    expect(await model.speechShare()).toBe(1);
  });

  it.each([
    [{ frames: 0, speech: 0 }, null],
    [{ frames: 10, speech: 0 }, 0],
    [{ frames: 10, speech: 6 }, 0.6],
    [new Error('broken'), null],
  ])('is taken from the answer %o: %s', async (answer, share) => {
    const { model, source } = modelWith(answer);
    await model.open();
    model.listen(source);
    expect(await model.speechShare()).toBe(share);
  });

  it('continues with a new worker on the same stream', async () => {
    const { model, workers, source } = modelWith(new Error('broken'));
    model.listen(source);
    await model.open();
    await settle();
    await model.speechShare();
    await settle();
    expect(workers.map((worker) => worker.calls.map(kindOf))).toEqual([
      ['begin', 'listen', 'counts'],
      ['begin', 'listen'],
    ]);
    expect(source.connected).toBe(2);
  });

  it('is null for good after three restarts fail', async () => {
    const { model, workers, source } = modelWith(new Error('broken'));
    await model.open();
    model.listen(source);
    for (let i = 0; i < 5; i += 1) {
      expect(await model.speechShare()).toBeNull();
      await settle();
    }
    expect(workers).toHaveLength(4);
  });
});
