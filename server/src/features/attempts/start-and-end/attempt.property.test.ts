import * as admin from '@invigil/testkit/attempt-play/admin-steps';
import * as candidate from '@invigil/testkit/attempt-play/candidate-steps';
import { endHolds, holds } from '@invigil/testkit/attempt-play/check';
import { Play } from '@invigil/testkit/attempt-play/play';
import { Stage } from '@invigil/testkit/attempt-play/stage';
import {
  lateMinutes,
  quiz,
  type Step,
  sequence,
  starts,
} from '@invigil/testkit/attempt-play/steps';
import { setUpApp } from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

/*
 * Compares an attempt with a model of it: the invariants I1 to I12 and I14 to I25 hold after every step
 * of random sequences of starts, alone and together, retakes, saves, submits, clock ticks, takeovers, outages,
 * violations and
 * administrator actions. A restart is a rebuild of the app on the same database.
 */

const RUNS = Number(process.env.INVIGIL_PROPERTY_RUNS ?? inForm({ short: 40, long: 500 }));

/** Plays each kind of step by the function of that name. */
const STEPS: Record<Step['kind'], (play: Play, step: never) => Promise<void>> = {
  ...admin,
  ...candidate,
};

describe('an attempt compared with its model', () => {
  const app = setUpApp();
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.set(app);
  });
  it('keeps I1-I12 and I14-I25 after every step of any sequence', async () => {
    let people = 0;
    /** Percentage of each completed current attempt, to compare with the dashboard (I24). */
    const marks: number[] = [];
    await fc.assert(
      fc.asyncProperty(quiz, starts, lateMinutes, sequence, async (number, times, late, steps) => {
        const play = await Play.begin(stage, number);
        if (late !== null) await admin.together(play, { kind: 'together', late });
        await candidate.start(play, { kind: 'start', times });
        await holds(play);
        for (const step of steps) {
          await STEPS[step.kind](play, step as never);
          await holds(play);
        }
        await admin.waitForTheEnd(play);
        await holds(play);
        await endHolds(play);
        const { counting } = play;
        if (!counting) return;
        people += 1;
        // A dismissed attempt has a score but does not count in the average.
        if (counting.ended?.type === 'dismissed') return;
        marks.push((100 * counting.score) / counting.paper.length);
      }),
      { numRuns: RUNS },
    );
    const stats = await app.call('getStats', { as: await stage.admin() });
    expect(stats.body.totalParticipants).toBe(people);
    const mean = marks.reduce((sum, mark) => sum + mark, 0) / marks.length;
    expect(Math.abs(stats.body.averageScore - mean)).toBeLessThan(0.051);
  });
});
