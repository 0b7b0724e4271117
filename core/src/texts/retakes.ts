import { figureText } from '../domain/locale.ts';
import type { Counting } from '../domain/retakes.ts';
import { t } from './i18n.ts';

/** The name of the rule's part that says which attempt counts. */
export const countsLabel = (): string =>
  t(/* of several attempts of a person; a label */ 'retakes.counts', 'Which attempt counts');

/** 'The best' */
export const countsText = (counts: Counting): string =>
  t(
    /* stands alone: the attempt that counts */ 'retakes.counting',
    '{counts, select, best {The best} last {The last} other {The first}}',
    { counts },
  );

/** 'Attempts per person: 3. The best counts.' */
export const retakesText = ({ attempts, counts }: { attempts: number; counts: Counting }): string =>
  t(
    /* the best attempt, the last attempt, the first attempt */ 'retakes.rule',
    '{counts, select, best {Attempts per person: {attempts}. The best counts.} last {Attempts per person: {attempts}. The last counts.} other {Attempts per person: {attempts}. The first counts.}}',
    { attempts: figureText(attempts), counts },
  );
