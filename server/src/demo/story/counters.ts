import type { Ending } from './scenes.ts';

/** Face and voice violations that count, and the two other counters. */
export type Counters = Partial<
  Record<'countedViolations' | 'fullscreenExits' | 'tabSwitches', number>
>;

/** What the monitoring counted. A limit that is reached ends the attempt, so the others stay below. */
export function countersOf(ending: Ending, watched: boolean, random: () => number): Counters {
  const few = random();
  const countedViolations = few < 0.7 ? 0 : few < 0.9 ? 1 : watched ? 2 : 5;
  const fullscreenExits = random() < 0.8 ? 0 : 2;
  switch (ending) {
    case 'face':
      return { countedViolations: 3, fullscreenExits };
    case 'fullscreen':
      return { countedViolations: Math.min(1, countedViolations), fullscreenExits: 5 };
    case 'tab':
      return { countedViolations: Math.min(1, countedViolations), fullscreenExits, tabSwitches: 1 };
    default:
      return { countedViolations, fullscreenExits, tabSwitches: !watched && few > 0.6 ? 2 : 0 };
  }
}
