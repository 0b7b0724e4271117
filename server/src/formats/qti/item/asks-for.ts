import { t } from '@invigil/core/texts/i18n';

/** Why a question is refused that asks for a kind of answer which is not read; `name`: as the file names it. */
export type AsksFor = (name: string) => string;

export const ASKS_FOR = {
  associatingPairs: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.associatingPairs',
      'It asks for associating pairs ({name}).',
      { name },
    ),
  associatingPlacesPicture: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.associatingPlacesPicture',
      'It asks for associating places of a picture ({name}).',
      { name },
    ),
  audioOrVideo: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.audioOrVideo',
      'It asks for audio or video ({name}).',
      { name },
    ),
  buttonEndsAttempt: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.buttonEndsAttempt',
      'It asks for a button that ends the attempt ({name}).',
      { name },
    ),
  customInteraction: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.customInteraction',
      'It asks for a custom interaction ({name}).',
      { name },
    ),
  drawing: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.drawing',
      'It asks for a drawing ({name}).',
      { name },
    ),
  essay: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.essay',
      'It asks for an essay ({name}).',
      { name },
    ),
  fillingGapsList: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.fillingGapsList',
      'It asks for filling gaps from a list ({name}).',
      { name },
    ),
  fillingGapsPicture: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.fillingGapsPicture',
      'It asks for filling gaps of a picture ({name}).',
      { name },
    ),
  interactionItsOwnKind: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.interactionItsOwnKind',
      'It asks for an interaction of its own kind ({name}).',
      { name },
    ),
  matching: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.matching',
      'It asks for matching ({name}).',
      { name },
    ),
  placingObjectOnPicture: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.placingObjectOnPicture',
      'It asks for placing an object on a picture ({name}).',
      { name },
    ),
  puttingPlacesPictureOrder: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.puttingPlacesPictureOrder',
      'It asks for putting places of a picture in order ({name}).',
      { name },
    ),
  puttingThingsOrder: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.puttingThingsOrder',
      'It asks for putting things in order ({name}).',
      { name },
    ),
  responseItsOwnKind: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.responseItsOwnKind',
      'It asks for a response of its own kind ({name}).',
      { name },
    ),
  resultComputedRandomValues: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.resultComputedRandomValues',
      'It asks for a result computed from random values ({name}).',
      { name },
    ),
  selectingPlacePicture: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.selectingPlacePicture',
      'It asks for selecting a place in a picture ({name}).',
      { name },
    ),
  selectingPointPicture: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.selectingPointPicture',
      'It asks for selecting a point in a picture ({name}).',
      { name },
    ),
  selectingWordsText: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.selectingWordsText',
      'It asks for selecting words of a text ({name}).',
      { name },
    ),
  severalChoicesInsideText: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.severalChoicesInsideText',
      'It asks for several choices inside of a text ({name}).',
      { name },
    ),
  severalGapsText: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.severalGapsText',
      'It asks for several gaps in a text ({name}).',
      { name },
    ),
  slider: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.slider',
      'It asks for a slider ({name}).',
      { name },
    ),
  sortingIntoCategories: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.sortingIntoCategories',
      'It asks for sorting into categories ({name}).',
      { name },
    ),
  textMatchesPattern: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.textMatchesPattern',
      'It asks for a text that matches a pattern ({name}).',
      { name },
    ),
  uploadingFile: (name) =>
    t(
      /* “it”: a question of the file; {name} as the file names it */ 'import.qti.asksFor.uploadingFile',
      'It asks for uploading a file ({name}).',
      { name },
    ),
} as const satisfies Record<string, AsksFor>;
