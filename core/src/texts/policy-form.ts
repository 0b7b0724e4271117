import { figureText, listText } from '../domain/locale.ts';
import {
  type AppliedLimits,
  appliedLimits,
  COMPUTER,
  type EndingRule,
  endingRules,
  reachableLimits,
  type Warnings,
} from '../domain/violations/applied-limits.ts';
import {
  LOWERED_MS,
  needsCamera,
  type PolicySettings,
} from '../domain/violations/violation-policy.ts';
import { ordinal, secondsText } from './amounts.ts';
import { t } from './i18n.ts';

/* Sentences for administrators about a policy that they set. Candidates load none of it. */

export const PRESET_NAMES: Record<PolicySettings['preset'], () => string> = {
  strict: () => t(/* the name of a violation policy */ 'preset.strict', 'Strict'),
  balanced: () => t(/* the name of a violation policy */ 'preset.balanced', 'Balanced'),
  review: () => t(/* the name of a violation policy */ 'preset.review', 'Review'),
  off: () => t(/* the name of a violation policy */ 'preset.off', 'Off'),
  custom: () => t(/* the name of a violation policy */ 'preset.custom', 'Custom'),
};

export const PRESET_WORDS: Record<PolicySettings['preset'], () => string> = {
  strict: () =>
    t('presetWords.strict', 'Reaching a limit ends the attempt. Two seconds out of view count.'),
  balanced: () =>
    t(
      'presetWords.balanced',
      'Recommended. As Strict, but everything warns first: six seconds out of view count, a voice that goes on, and the second tab switch.',
    ),
  review: () =>
    t('presetWords.review', 'Nothing ends automatically. Everything is recorded for review.'),
  off: () => t('presetWords.off', 'No camera, microphone or fullscreen is required.'),
  custom: () => t('presetWords.custom', 'Your own numbers.'),
};

export const TAB_CHOICES: Record<
  PolicySettings['tabHidden'],
  { label: () => string; words: () => string }
> = {
  dismiss: {
    label: () => t(/* what happens on a tab switch */ 'tabSwitch.dismiss.label', 'End the attempt'),
    words: () =>
      t(
        'tabSwitch.dismiss.words',
        'The first switch to another tab or app ends the attempt. On phones it counts as a fullscreen warning.',
      ),
  },
  warn_once: {
    label: () =>
      t(
        /* what happens on a tab switch */ 'tabSwitch.warnOnce.label',
        'Warn, then end the attempt',
      ),
    words: () =>
      t(
        'tabSwitch.warnOnce.words',
        'The first switch to another tab or app is a warning, the second ends the attempt. On phones each counts as a fullscreen warning.',
      ),
  },
  warn: {
    label: () => t(/* what happens on a tab switch */ 'tabSwitch.warn.label', 'Give a warning'),
    words: () =>
      t(
        'tabSwitch.warn.words',
        'Each switch to another tab or app counts as a fullscreen warning.',
      ),
  },
  record: {
    label: () => t(/* what happens on a tab switch */ 'tabSwitch.record.label', 'Record only'),
    words: () =>
      t(
        'tabSwitch.record.words',
        'A switch to another tab or app is recorded and never ends the attempt.',
      ),
  },
};

const cameraOff = () =>
  t(/* a setting */ 'policyNumber.cameraOff', 'Has no effect while the camera is off.');
const microphoneOff = () =>
  t(/* a setting */ 'policyNumber.microphoneOff', 'Has no effect while the microphone is off.');

/** Switches of the policy, with the effect of either state. */
export const SWITCHES = {
  camera: {
    label: () => t(/* a setting of a violation policy */ 'policySwitch.camera.label', 'Camera'),
    on: () => t('policySwitch.camera.on', 'Needed on computers. Phones have no camera check.'),
    off: () => t('policySwitch.camera.off', 'Not required. Faces are not checked.'),
  },
  cameraRequired: {
    label: () =>
      t(
        /* a setting of a violation policy */ 'policySwitch.cameraRequired.label',
        'Camera required',
      ),
    on: () =>
      t(
        'policySwitch.cameraRequired.on',
        'On phones and tablets, a notice appears instead of the start button.',
      ),
    off: () =>
      t(
        'policySwitch.cameraRequired.off',
        'Candidates on phones and tablets take the assessment without a camera.',
      ),
  },
  microphone: {
    label: () =>
      t(/* a setting of a violation policy */ 'policySwitch.microphone.label', 'Microphone'),
    on: () => t('policySwitch.microphone.on', 'Needed on every device.'),
    off: () => t('policySwitch.microphone.off', 'Not required. Sound is not checked.'),
  },
  fullscreen: {
    label: () =>
      t(/* a setting of a violation policy */ 'policySwitch.fullscreen.label', 'Fullscreen'),
    on: () =>
      t(
        'policySwitch.fullscreen.on',
        'The assessment is covered outside fullscreen. iPhones do not support fullscreen.',
      ),
    off: () => t('policySwitch.fullscreen.off', 'The assessment runs in a normal window.'),
  },
  mayUsePaper: {
    label: () =>
      t(/* a setting of a violation policy */ 'policySwitch.mayUsePaper.label', 'Pen and paper'),
    on: () =>
      t(
        /* {time} is a duration */ 'policySwitch.mayUsePaper.on',
        'The instructions allow it. A lowered head is no flag, and a face that is lost while it is lowered counts only after {time}.',
        { time: secondsText(LOWERED_MS) },
      ),
    off: () =>
      t(
        'policySwitch.mayUsePaper.off',
        'The instructions do not mention paper, and a lowered head is looking away.',
      ),
  },
  mayTranslate: {
    label: () =>
      t(
        /* a setting of a violation policy */ 'policySwitch.mayTranslate.label',
        'Translation by the browser',
      ),
    on: () =>
      t(
        'policySwitch.mayTranslate.on',
        'The browser may translate questions. A translation can change what a question asks.',
      ),
    off: () =>
      t(
        'policySwitch.mayTranslate.off',
        'The browser is asked not to translate the pages of candidates.',
      ),
  },
} as const;

export function switchHint(policy: Settings, name: keyof typeof SWITCHES): string {
  if (name === 'cameraRequired' && !policy.camera) return cameraOff();
  return SWITCHES[name][policy[name] ? 'on' : 'off']();
}

/** Violations that end an attempt, by the kinds that add to a limit. */
const ENDING_VIOLATION = {
  face: (n: number) =>
    t(
      /* {nth} is “third” */ 'policyNumber.faceEnds',
      'The {nth} face violation ends the attempt.',
      {
        nth: ordinal(n),
      },
    ),
  voice: (n: number) =>
    t(
      /* {nth} is “third” */ 'policyNumber.voiceEnds',
      'The {nth} voice violation ends the attempt.',
      {
        nth: ordinal(n),
      },
    ),
  both: (n: number) =>
    t(
      /* {nth} is “third”: the third of both together */ 'policyNumber.bothEnd',
      'The {nth} face or voice violation ends the attempt.',
      { nth: ordinal(n) },
    ),
};

const addingKind = ({ adding }: AppliedLimits) =>
  adding.length === 2 ? 'both' : (adding[0] ?? null);

/** The first warning that ends an attempt, and the one after others, by what is warned of. */
const WARNED = {
  both: {
    first: () =>
      t('policyWarning.firstOfBoth', 'The first fullscreen exit or tab switch ends the attempt.'),
    later: (n: number) =>
      t(
        /* {nth} is “third” */ 'policyWarning.both',
        'Each fullscreen exit or tab switch is a warning; the {nth} ends the attempt.',
        { nth: ordinal(n) },
      ),
  },
  exits: {
    first: () => t('policyWarning.firstExit', 'The first fullscreen exit ends the attempt.'),
    later: (n: number) =>
      t(
        /* {nth} is “third” */ 'policyWarning.exits',
        'Each fullscreen exit is a warning; the {nth} ends the attempt.',
        { nth: ordinal(n) },
      ),
  },
  switches: {
    first: () => t('policyWarning.firstSwitch', 'The first tab switch ends the attempt.'),
    later: (n: number) =>
      t(
        /* {nth} is “third” */ 'policyWarning.switches',
        'Each tab switch is a warning; the {nth} ends the attempt.',
        { nth: ordinal(n) },
      ),
  },
  phones: {
    first: () =>
      t('policyWarning.firstOnPhone', 'The first tab switch on a phone ends the attempt.'),
    later: (n: number) =>
      t(
        /* {nth} is “third” */ 'policyWarning.phones',
        'Each tab switch on a phone is a warning; the {nth} ends the attempt.',
        { nth: ordinal(n) },
      ),
  },
};

const warned = ({ exits, switches }: Omit<Warnings, 'limit'>) =>
  exits ? (switches ? 'both' : 'exits') : 'switches';

type Settings = Omit<PolicySettings, 'preset'>;
type Sentence = (policy: Settings) => string;

const camera =
  (sentence: Sentence): Sentence =>
  (policy) =>
    policy.camera ? sentence(policy) : cameraOff();
const microphone =
  (sentence: Sentence): Sentence =>
  (policy) =>
    policy.microphone ? sentence(policy) : microphoneOff();

/** A limit of a kind, with a lower combined limit that is always reached first. */
const alone =
  (
    kind: 'face' | 'voice',
    type: PolicySettings['combinedTypes'][number],
    never: () => string,
  ): Sentence =>
  ({ limits, combinedTypes }) => {
    const n = limits[kind];
    if (n === null) return never();
    const { combined } = limits;
    const ends = ENDING_VIOLATION[kind](n);
    if (!combinedTypes.includes(type) || combined === null || combined >= n) return ends;
    const first = t(
      /* violations of face and voice together */ 'policyNumber.combinedFirst',
      'The combined limit of {combined} is reached first.',
      { combined },
    );
    return `${ends} ${first}`;
  };

const voiceWithoutWarning = () =>
  t('policy.rule.voice', 'A voice counts without a warning before it.');

/** The effect of each number. */
export const NUMBER_SENTENCES = {
  combined(policy) {
    const kind = addingKind(appliedLimits(policy, COMPUTER));
    const n = policy.limits.combined;
    if (kind === null) {
      return t(
        /* it: the combined limit */ 'policyNumber.combinedUnused',
        'Neither face nor voice violations count toward it, so it never ends the attempt.',
      );
    }
    return n === null
      ? t('policyNumber.combinedNever', 'Face and voice violations together never end the attempt.')
      : ENDING_VIOLATION[kind](n);
  },
  face: camera(
    alone('face', 'face_not_detected', () =>
      t('policyNumber.faceNever', 'Face violations alone never end the attempt.'),
    ),
  ),
  voice: microphone(
    alone('voice', 'voice_detected', () =>
      t('policyNumber.voiceNever', 'Voice violations alone never end the attempt.'),
    ),
  ),
  exits({ fullscreen: exits, tabHidden, limits: { fullscreen: n } }) {
    if (!exits && tabHidden === 'record') {
      return t(/* a limit */ 'policyNumber.exitsUnused', 'Has no effect while fullscreen is off.');
    }
    if (n === null) {
      return t(
        'policyNumber.exitsNever',
        'Leaving fullscreen is recorded and never ends the attempt.',
      );
    }
    const switches = tabHidden === 'warn';
    const { first, later } = WARNED[exits || switches ? warned({ exits, switches }) : 'phones'];
    return n === 1 ? first() : later(n);
  },
  tabHiddenFor: ({ tabHiddenMs: ms }) =>
    ms === 0
      ? t(
          'policyNumber.hiddenAnyTime',
          'Hiding the page for any length of time counts as a tab switch.',
        )
      : t(
          /* {time} is a duration */ 'policyNumber.hiddenFor',
          'A page hidden for more than {time} counts as a tab switch. Shorter times are only recorded.',
          { time: secondsText(ms) },
        ),
  faceEvery: camera(({ face: { everyMs: ms } }) =>
    ms === 1_000
      ? t('policyNumber.faceEverySecond', 'The picture is checked every second.')
      : t(
          /* {time} is a duration: the picture is checked once in it */ 'policyNumber.faceEvery',
          'Every {time}, one check.',
          { time: secondsText(ms) },
        ),
  ),
  faceAbsent: camera(({ face: { misses, everyMs } }) => {
    if (misses === 1) {
      return t(
        /* of the picture */ 'policyNumber.faceAbsentOnce',
        'One check without a face is a violation.',
      );
    }
    const counts = t(
      /* {time} is a duration */ 'policyNumber.faceAbsent',
      '{misses, plural, one {# check in a row without a face, about {time}, is a violation.} other {# checks in a row without a face, about {time}, are a violation.}}',
      { misses, time: secondsText(misses * everyMs) },
    );
    if (misses === 2) return counts;
    return `${counts} ${t(/* check */ 'policyNumber.faceAbsentWarning', 'The second shows a warning.')}`;
  }),
  speechShare: microphone(({ sound: { speechShare } }) =>
    t('policyNumber.speechShare', 'Speech in at least {share} % of the window is a violation.', {
      share: figureText(round(speechShare * 100)),
    }),
  ),
  speechWindow: microphone(({ sound: { speechShare, speechWindowMs: ms } }) =>
    t(
      /* both values are durations: so much speech is a violation */ 'policyNumber.speechWindow',
      'About {time} of speech within {window}.',
      { time: secondsText(ms * speechShare), window: secondsText(ms) },
    ),
  ),
  loudAbove: microphone(({ sound: { level } }) =>
    level >= 120
      ? t(
          'policyNumber.loudest',
          'Only a reading of 120 counts as loud: 60 dB over the quiet room.',
        )
      : t(
          'policyNumber.loudAbove',
          'A level above {level} is loud: {decibels} dB over the quiet room.',
          { level: figureText(level), decibels: figureText(round(level / 2)) },
        ),
  ),
  loudSamples: microphone(({ sound: { samples, everyMs } }) =>
    t(
      /* readings of the sound level; {time} is a duration */ 'policyNumber.loudSamples',
      '{samples, plural, one {Loud in more than # reading in a row, about {time}, is a violation.} other {Loud in more than # readings in a row, about {time}, is a violation.}}',
      { samples, time: secondsText((samples + 1) * everyMs) },
    ),
  ),
  soundEvery: microphone(({ sound }) =>
    t(
      /* {time} is a duration */ 'policyNumber.soundEvery',
      'The sound level is read every {time}.',
      {
        time: secondsText(sound.everyMs),
      },
    ),
  ),
  soundEveryIos: microphone(({ sound }) =>
    t(
      /* the sound level; {time} is a duration */ 'policyNumber.soundEveryIos',
      'On these devices it is read every {time}.',
      { time: secondsText(sound.everyMsIos) },
    ),
  ),
  voiceWarn: microphone(({ sound: { warnMs } }) =>
    warnMs === undefined
      ? voiceWithoutWarning()
      : t(
          /* {time} is a duration */ 'policyNumber.voiceWarn',
          'A voice first warns the candidate; it counts if it goes on for {time} more.',
          { time: secondsText(warnMs) },
        ),
  ),
  redAbove: microphone(({ sound }) =>
    t('policyNumber.redAbove', 'Candidates see the level in red above {level}.', {
      level: figureText(sound.redAbove),
    }),
  ),
  cooldown: ({ cooldownMs: ms }) =>
    ms === 0
      ? t('policyNumber.noCooldown', 'Every violation counts, however soon after the previous one.')
      : t(
          /* a violation; {time} is a duration */ 'policyNumber.cooldown',
          'After one has counted, the next of its kind counts {time} later at the earliest.',
          { time: secondsText(ms) },
        ),
  dismissDelay: ({ dismissDelayMs: ms }) =>
    ms === 0
      ? t('policyNumber.endsAtOnce', 'The attempt ends immediately when a limit is reached.')
      : t(
          /* {time} is a duration */ 'policyNumber.endsAfter',
          'The attempt ends {time} after a limit is reached.',
          { time: secondsText(ms) },
        ),
  stillEvery: camera(({ stillEveryMs: ms }) =>
    ms === null
      ? t('policyNumber.noStills', 'Stills are kept only before and after a violation.')
      : t(
          /* a photo; {time} is a duration */ 'policyNumber.stillEvery',
          'One still is kept every {time}, even without a violation.',
          { time: secondsText(ms) },
        ),
  ),
} satisfies Record<string, Sentence>;

/** The rules by which an attempt can end on a computer, as its author says them: candidates are told the same of themselves. */
export const rulesForAuthors = (policy: PolicySettings): string[] =>
  endingRules(policy).map(ruleForAuthors);

function ruleForAuthors(rule: EndingRule): string {
  switch (rule.rule) {
    case 'face': {
      const time = secondsText(rule.ms);
      return rule.loweredMs === null
        ? t(/* {time} is a duration */ 'policyRule.face', 'A face out of view for {time} counts.', {
            time,
          })
        : t(
            /* both values are durations */ 'policyRule.faceLowered',
            'A face out of view for {time}, with a lowered head for {lowered} counts.',
            { time, lowered: secondsText(rule.loweredMs) },
          );
    }
    case 'voice':
      return rule.warnMs === null
        ? voiceWithoutWarning()
        : t(
            /* {time} is a duration */ 'policyRule.voice',
            'A voice first warns the candidate; it counts if it goes on for {time}.',
            { time: secondsText(rule.warnMs) },
          );
    case 'warnings':
      return WARNED[warned(rule)].later(rule.limit);
    case 'tab':
      return rule.limit === 1
        ? WARNED.switches.first()
        : t(
            'policyRule.secondSwitch',
            'The first tab switch is a warning, the second ends the attempt.',
          );
  }
}

/** 0.57 * 100 is 56.99999999999999. */
const round = (n: number) => Math.round(n * 1_000) / 1_000;

const listed = (words: readonly (string | false)[], type: 'conjunction' | 'disjunction') =>
  listText(
    words.filter((word) => word !== false),
    type,
  );

export function policySummary(policy: Settings): string {
  const { camera, microphone, fullscreen } = policy;
  const inList = [
    camera && t(/* in a list of what is required */ 'policySummary.camera', 'camera'),
    microphone && t(/* in a list of what is required */ 'policySummary.microphone', 'microphone'),
    fullscreen && t(/* in a list of what is required */ 'policySummary.fullscreen', 'fullscreen'),
  ];
  const needs = inList.some(Boolean)
    ? t(/* of candidates */ 'policySummary.requires', 'Requires {list}.', {
        list: listed(inList, 'conjunction'),
      })
    : PRESET_WORDS.off();
  const end = endings(policy);
  const sentences = [
    needs,
    needsCamera(policy) && t('policySummary.noPhones', 'Phones cannot be used.'),
    end === ''
      ? t('policySummary.nothingEnds', 'Nothing ends the attempt automatically.')
      : t(
          /* {list}: “third face violation, fifth fullscreen exit or first tab switch” */ 'policySummary.ends',
          'The attempt ends with the {list}.',
          { list: end },
        ),
  ];
  return sentences.filter(Boolean).join(' ');
}

/** The limits that end an attempt (empty: none), and the events that are only noted for a reviewer. */
export function presetFacts(policy: Settings): { ends: string; noted: string } {
  const { adding, combined, ...own } = appliedLimits(policy, COMPUTER);
  const isNoted = (kind: 'face' | 'voice') =>
    own[kind] === null && !(adding.includes(kind) && combined !== null);
  const { camera } = policy;
  const noted = [
    camera &&
      isNoted('face') &&
      t(/* in a list of what is noted */ 'policyNoted.face', 'a face out of view'),
    policy.microphone &&
      isNoted('voice') &&
      t(/* in a list of what is noted */ 'policyNoted.voice', 'a voice'),
    policy.fullscreen &&
      policy.limits.fullscreen === null &&
      t(/* in a list of what is noted */ 'policyNoted.exits', 'leaving fullscreen'),
    policy.tabHidden === 'record' &&
      t(/* in a list of what is noted */ 'policyNoted.switches', 'another tab or app'),
    camera && t(/* in a list of what is noted */ 'policyNoted.people', 'more than one person'),
    camera && t(/* in a list of what is noted */ 'policyNoted.lookingAway', 'looking away'),
    t(/* in a list of what is noted */ 'policyNoted.clipboard', 'copy and paste'),
  ];
  const end = endings(policy);
  return {
    ends:
      end === ''
        ? ''
        : t(
            /* behind “Ends the attempt:”; {list}: “third face violation or first tab switch” */ 'policyEnd.list',
            'the {list}.',
            { list: end },
          ),
    noted: t(/* behind “Only noted:” */ 'policyNoted.list', '{list}.', {
      list: listed(noted, 'conjunction'),
    }),
  };
}

/** Stand in a list of what ends an attempt, behind “the”. */
const ENDING = {
  face: (n: number) =>
    t(/* in a list behind “the”; {nth} is “third” */ 'policyEnd.face', '{nth} face violation', {
      nth: ordinal(n),
    }),
  voice: (n: number) =>
    t(/* in a list behind “the”; {nth} is “third” */ 'policyEnd.voice', '{nth} voice violation', {
      nth: ordinal(n),
    }),
  both: (n: number) =>
    t(
      /* in a list behind “the”; {nth} is “third” */ 'policyEnd.faceOrVoice',
      '{nth} face or voice violation',
      { nth: ordinal(n) },
    ),
};
const ENDING_WARNING = {
  both: (n: number) =>
    t(
      /* in a list behind “the”; {nth} is “third” */ 'policyEnd.exitOrSwitch',
      '{nth} fullscreen exit or tab switch',
      { nth: ordinal(n) },
    ),
  exits: (n: number) =>
    t(/* in a list behind “the”; {nth} is “third” */ 'policyEnd.exit', '{nth} fullscreen exit', {
      nth: ordinal(n),
    }),
  switches: (n: number) =>
    t(/* in a list behind “the”; {nth} is “third” */ 'policyEnd.switch', '{nth} tab switch', {
      nth: ordinal(n),
    }),
};

/** The limits that end an attempt, without those that another one always precedes; empty: none. */
function endings(policy: Settings): string {
  const limits = reachableLimits(appliedLimits(policy, COMPUTER));
  const { combined, face, voice, warnings, tab } = limits;
  const kind = addingKind(limits);
  return listed(
    [
      kind !== null && combined !== null && ENDING[kind](combined),
      face !== null && ENDING.face(face),
      voice !== null && ENDING.voice(voice),
      warnings !== null && ENDING_WARNING[warned(warnings)](warnings.limit),
      tab !== null && ENDING_WARNING.switches(tab),
    ],
    'disjunction',
  );
}

/**
 * The limits that would have ended an attempt under its policy: `3 face and voice violations combined`. Only
 * reachable limits: a sensor that is off does not count. Empty: nothing.
 */
export function recordedLimits(
  policy: Parameters<typeof appliedLimits>[0],
  computerUsed: boolean,
): string[] {
  const limits = appliedLimits(policy, { ...COMPUTER, mobile: !computerUsed });
  const { combined, face, voice, warnings, tab } = limits;
  const kind = addingKind(limits);
  const lines = [
    kind !== null && combined !== null && COMBINED[kind](combined),
    face !== null &&
      t('policyLimit.face', '{n, plural, one {# face violation} other {# face violations}}', {
        n: face,
      }),
    voice !== null &&
      t('policyLimit.voice', '{n, plural, one {# voice violation} other {# voice violations}}', {
        n: voice,
      }),
    warnings !== null && WARNINGS[warned(warnings)](warnings.limit),
    tab !== null &&
      t(/* {nth} is “second” */ 'policyLimit.tab', 'The {nth} tab switch', { nth: ordinal(tab) }),
  ];
  return lines.filter((line) => line !== false);
}

const COMBINED = {
  face: (n: number) =>
    t(
      'policyLimit.onlyFace',
      '{n, plural, one {# face violation, the only kind that counts toward the combined limit} other {# face violations, the only kind that counts toward the combined limit}}',
      { n },
    ),
  voice: (n: number) =>
    t(
      'policyLimit.onlyVoice',
      '{n, plural, one {# voice violation, the only kind that counts toward the combined limit} other {# voice violations, the only kind that counts toward the combined limit}}',
      { n },
    ),
  both: (n: number) =>
    t(
      'policyLimit.faceAndVoice',
      '{n, plural, one {# face and voice violation combined} other {# face and voice violations combined}}',
      { n },
    ),
};
const WARNINGS = {
  both: (n: number) =>
    t(
      'policyLimit.exitsAndSwitches',
      '{n, plural, one {# fullscreen exit and tab switch together} other {# fullscreen exits and tab switches together}}',
      { n },
    ),
  exits: (n: number) =>
    t('policyLimit.exits', '{n, plural, one {# fullscreen exit} other {# fullscreen exits}}', {
      n,
    }),
  switches: (n: number) =>
    t('policyLimit.switches', '{n, plural, one {# tab switch} other {# tab switches}}', { n }),
};
