import { t } from './i18n.ts';

/*
 * Notes on the flags that the server raises, by the codes that are stored with them. Notes of a page are measurements
 * of its detectors, and earlier versions stored these sentences.
 */

const TEXTS = {
  moved_to_phone: () =>
    t(
      'flagNote.movedToPhone',
      'The attempt continued on a phone or tablet, where no camera is required.',
    ),
  claims_phone: () =>
    t('flagNote.claimsPhone', 'The page claims a phone or tablet, its requests a computer.'),
  no_touch_screen: () =>
    t(
      /* It: the device */ 'flagNote.noTouchScreen',
      'It claims to be a phone or tablet, but has no touch screen.',
    ),
  runs_on: ({ platform }: { platform: string }) =>
    t(
      /* It: the device */ 'flagNote.runsOn',
      'It claims to be a phone or tablet, but runs on {platform}.',
      { platform },
    ),
  sent_again_here: () =>
    t(
      'flagNote.sentAgainHere',
      'A still from an earlier moment of this attempt was sent again, byte for byte.',
    ),
  sent_again_elsewhere: () =>
    t('flagNote.sentAgainElsewhere', 'A still from another attempt was sent again, byte for byte.'),
};

const RUNS_ON = 'runs_on: ';

export type FlagNote = Exclude<keyof typeof TEXTS, 'runs_on'> | `${typeof RUNS_ON}${string}`;

const isCode = (notes: string): notes is Exclude<keyof typeof TEXTS, 'runs_on'> =>
  notes !== 'runs_on' && Object.hasOwn(TEXTS, notes);

/** Stored notes as a reviewer reads them; those that are no code as they are. */
export function notesText(notes: string): string {
  if (notes.startsWith(RUNS_ON)) {
    return TEXTS.runs_on({ platform: notes.slice(RUNS_ON.length) });
  }
  return isCode(notes) ? TEXTS[notes]() : notes;
}
