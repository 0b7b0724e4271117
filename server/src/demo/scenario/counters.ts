import type { Ending } from './scenarios.ts';

/** Counted face and voice violations, and the two other counters. */
export type Counters = Partial<
  Record<'countedViolations' | 'fullscreenExits' | 'tabSwitches', number>
>;

/** The counts of an attempt. Reaching one limit ends it, so the others stay below theirs. */
export function countersOf(ending: Ending, hasLimit: boolean, random: () => number): Counters {
  const few = random();
  const countedViolations = few < 0.7 ? 0 : few < 0.9 ? 1 : hasLimit ? 2 : 5;
  const fullscreenExits = random() < 0.8 ? 0 : 2;
  switch (ending) {
    case 'face':
      return { countedViolations: 3, fullscreenExits };
    case 'fullscreen':
      return { countedViolations: Math.min(1, countedViolations), fullscreenExits: 5 };
    case 'tab':
      // The first one only warns.
      return { countedViolations: Math.min(1, countedViolations), fullscreenExits, tabSwitches: 2 };
    default:
      return { countedViolations, fullscreenExits, tabSwitches: !hasLimit && few > 0.6 ? 2 : 0 };
  }
}
