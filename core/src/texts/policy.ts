import {
  type AppliedLimits,
  appliedLimits,
  type EndingRule,
  endingRules,
  faceRule,
  type RuledDevice,
  reachableLimits,
  voiceRule,
  type Warnings,
} from '../domain/violations/applied-limits.ts';
import type { PolicySettings, ViolationPolicy } from '../domain/violations/violation-policy.ts';
import { LONG_MS, LOOKING_AWAY } from '../domain/violations/violation-types.ts';
import { everyText, minutesText, ordinal, secondsText } from './amounts.ts';
import { t } from './i18n.ts';

/*
 * The rules of a policy, in the same words in the form, the invitation, the instructions and after an end. The id
 * of a text is its path, such as `policy.rule.face`.
 */

type Policy = Omit<ViolationPolicy, 'version'>;

const inWords = (ms: number) =>
  ms === 1_000
    ? t(/* a duration within a sentence */ 'amount.oneSecond', 'one second')
    : secondsText(ms);

/** The sentences about rules; each has its rule in stated-rules.test.ts, which plays it. */
export const POLICY_SENTENCES = {
  rule: {
    face: ({ ms }: { ms: number }) =>
      t(
        /* {time} is a duration: times of this length count as a violation */ 'policy.rule.face',
        'Keep your face in view: {time} out of view count.',
        { time: inWords(ms) },
      ),
    lowered: ({ ms }: { ms: number }) =>
      t(
        /* {time} is a duration */ 'policy.rule.lowered',
        'Pen and paper are allowed, and looking down to write is fine: your face may be out of view for {time} then.',
        { time: inWords(ms) },
      ),
    voice: () => t('policy.rule.voice', 'A voice counts without a warning before it.'),
    voiceWarned: ({ ms }: { ms: number }) =>
      t(
        /* {time} is a duration */ 'policy.rule.voiceWarned',
        'When a voice is heard, you are warned first; it counts if it goes on for {time}.',
        { time: inWords(ms) },
      ),
    exits: ({ limit }: { limit: number }) =>
      t(
        /* {nth} is “third”: the third time */ 'policy.rule.exits',
        'Each time you leave fullscreen you get a warning; the {nth} ends the assessment.',
        { nth: ordinal(limit) },
      ),
    switches: ({ limit }: { limit: number }) =>
      t(
        /* {nth} is “third”: the third switch */ 'policy.rule.switches',
        'Each switch to another tab or app counts as a warning; the {nth} ends the assessment.',
        { nth: ordinal(limit) },
      ),
    exitsAndSwitches: ({ limit }: { limit: number }) =>
      t(
        /* {nth} is “third”: the third time */ 'policy.rule.exitsAndSwitches',
        'Each time you leave fullscreen or switch to another tab or app you get a warning; the {nth} ends the assessment.',
        { nth: ordinal(limit) },
      ),
    firstSwitch: () =>
      t(
        /* ends the assessment */ 'policy.rule.firstSwitch',
        'Switching to another tab or app ends it at once.',
      ),
    secondSwitch: () =>
      t(
        'policy.rule.secondSwitch',
        'Switching to another tab or app gets a warning the first time; the second time ends the assessment.',
      ),
  },
  guideline: {
    stills: () =>
      t(
        'policy.guideline.stills',
        'Your camera stays on during the assessment. Photos are kept only if something is flagged.',
      ),
    stillsEvery: ({ ms }: { ms: number }) =>
      t(
        /* {interval} is “every 30 seconds” */ 'policy.guideline.stillsEvery',
        'Your camera stays on during the assessment. Photos are kept {interval}, and if something is flagged.',
        { interval: everyText(ms) },
      ),
    microphone: () =>
      t(
        'policy.guideline.microphone',
        'Your microphone measures the sound level and detects speech. Sit in a quiet room.',
      ),
    faceCovered: () =>
      t(
        'policy.guideline.faceCovered',
        'Your face may be partly covered. If it is not detected, that never counts against you.',
      ),
    /** Said if a missing face does not count anyway. */
    paper: () => t('policy.guideline.paper', 'Pen and paper are allowed.'),
    lookingAway: ({ afterMs, withinMs }: typeof LOOKING_AWAY) =>
      t(
        /* the three values are durations */ 'policy.guideline.lookingAway',
        'Looking away from the screen for {time} is noted and never counts; when such times add up to {sum} within {within}, they are marked for a reviewer.',
        {
          time: inWords(afterMs),
          sum: minutesText(LONG_MS.looking_away),
          within: minutesText(withinMs),
        },
      ),
    unclear: () =>
      t(
        'policy.guideline.unclear',
        'When the picture is too dark or unclear to tell, that never counts against you.',
      ),
    fullscreen: () => t('policy.guideline.fullscreen', 'The assessment runs in fullscreen.'),
    exitsRecorded: () =>
      t(/* leaving fullscreen */ 'policy.guideline.exitsRecorded', 'Leaving it is recorded.'),
    switchesRecorded: () =>
      t('policy.guideline.switchesRecorded', 'Switching to another tab or app is recorded.'),
    most: ({ n }: { n: number }) =>
      t(
        /* {nth} is “third”: the third violation */ 'policy.guideline.most',
        '{n, plural, one {Maximum # violation. After the {nth}, your answers are submitted automatically.} other {Maximum # violations. After the {nth}, your answers are submitted automatically.}}',
        { n, nth: ordinal(n) },
      ),
    ownLimits: () =>
      t(
        'policy.guideline.ownLimits',
        'Each kind has its own limit. When one is reached, your answers are submitted automatically.',
      ),
    noLimit: () =>
      t(
        'policy.guideline.noLimit',
        'Nothing ends your assessment automatically. What is detected is recorded and reviewed by a person.',
      ),
  },
};

const warningsText = ({ limit, exits, switches }: Warnings) =>
  POLICY_SENTENCES.rule[exits ? (switches ? 'exitsAndSwitches' : 'exits') : 'switches']({ limit });

/** A rule in words. */
export function ruleText(rule: EndingRule): string {
  switch (rule.rule) {
    case 'face':
      return rule.loweredMs === null
        ? POLICY_SENTENCES.rule.face(rule)
        : `${POLICY_SENTENCES.rule.face(rule)} ${POLICY_SENTENCES.rule.lowered({ ms: rule.loweredMs })}`;
    case 'voice':
      return rule.warnMs === null
        ? POLICY_SENTENCES.rule.voice()
        : POLICY_SENTENCES.rule.voiceWarned({ ms: rule.warnMs });
    case 'warnings':
      return warningsText(rule);
    case 'tab':
      return rule.limit === 1
        ? POLICY_SENTENCES.rule.firstSwitch()
        : POLICY_SENTENCES.rule.secondSwitch();
  }
}

/** The rules by which a candidate's attempt can end on a computer, in words. */
export const ruleSentences = (settings: PolicySettings): string[] =>
  endingRules(settings).map(ruleText);

/** The limits for a candidate: a combined limit of a single kind is a limit of that kind. */
function strikes(limits: AppliedLimits) {
  const { adding, combined } = limits;
  const isShared = adding.length === 2;
  const alone = (kind: 'face' | 'voice') => {
    const all = [limits[kind], !isShared && adding.includes(kind) ? combined : null];
    const set = all.filter((limit) => limit !== null);
    return set.length === 0 ? null : Math.min(...set);
  };
  const together = isShared ? combined : null;
  return { ...limits, isShared, together, face: alone('face'), voice: alone('voice') };
}

/** The short table of limits under the violation policy: only rules that can end this attempt. */
export function limitCells(policy: Policy, device: RuledDevice): [label: string, value: string][] {
  const { together, face, voice, isShared, warnings, tab } = strikes(
    reachableLimits(appliedLimits(policy, device)),
  );
  const cells: [label: string, limit: number | null][] = [
    [t(/* a limit of violations of both kinds */ 'limit.faceOrVoice', 'Face or voice'), together],
    [
      isShared
        ? t(/* a limit of these violations only */ 'limit.faceAlone', 'Face alone')
        : t(/* a limit of violations */ 'limit.face', 'Face'),
      face,
    ],
    [
      isShared
        ? t(/* a limit of these violations only */ 'limit.voiceAlone', 'Voice alone')
        : t(/* a limit of violations */ 'limit.voice', 'Voice'),
      voice,
    ],
    [warningsName(warnings), warnings?.limit ?? null],
  ];
  const limits = cells.flatMap(([label, limit]): [string, string][] =>
    limit === null ? [] : [[label, String(limit)]],
  );
  if (tab === null) return limits;
  const which =
    tab === 1
      ? t(/* beside “Tab switch”: ends the assessment */ 'limit.atOnce', 'At once')
      : t(
          /* beside “Tab switch”: the second one ends the assessment */ 'limit.theSecond',
          'The second',
        );
  return [...limits, [t('limit.tabSwitch', 'Tab switch'), which]];
}

function warningsName(warnings: Warnings | null): string {
  if (!warnings?.switches) {
    return t(/* a limit of these */ 'limit.fullscreenExits', 'Fullscreen exits');
  }
  return warnings.exits
    ? t(
        /* a limit of both together */ 'limit.exitsAndSwitches',
        'Fullscreen exits and tab switches',
      )
    : t(/* a limit of these */ 'limit.tabSwitches', 'Tab switches');
}

/** The dismissed screen names the limits of this policy in the specification's wording. */
export function limitLines(policy: Policy, device: RuledDevice): [label: string, value: string][] {
  const { together, face, voice, warnings, tab } = strikes(appliedLimits(policy, device));
  const strikesOf = (n: number) =>
    t(
      /* violations that end the assessment */ 'limit.strikes',
      '{n, plural, one {# strike} other {# strikes}}',
      { n },
    );
  const lines: [string, string][] = [];
  if (together !== null) {
    lines.push([t('limit.faceAndVoice', 'Face and voice together'), strikesOf(together)]);
  }
  if (voice !== null) lines.push([t('limit.sound', 'Voice/sound'), strikesOf(voice)]);
  if (face !== null) lines.push([t('limit.noFace', 'Face not detected'), strikesOf(face)]);
  if (warnings !== null) {
    const { limit: n } = warnings;
    lines.push([
      warningsLabel(warnings),
      t('limit.warnings', '{n, plural, one {# warning} other {# warnings}}', { n }),
    ]);
  }
  if (tab !== null) {
    const when =
      tab === 1
        ? t(/* beside “Tab switching”: ends the assessment */ 'limit.immediate', 'Immediate')
        : t(
            /* beside “Tab switching”: ends the assessment */ 'limit.secondTime',
            'The second time',
          );
    lines.push([t('limit.tabSwitching', 'Tab switching'), when]);
  }
  return lines;
}

function warningsLabel({ exits, switches }: Warnings): string {
  if (!exits) return t('limit.tabSwitching', 'Tab switching');
  return switches
    ? t('limit.exitOrSwitching', 'Fullscreen exit or tab switching')
    : t('limit.fullscreenExit', 'Fullscreen exit');
}

/** 'Violations allowed' of the card, or what is done instead. */
export function violationsAllowed(policy: Policy, device: RuledDevice): string | null {
  if (!policy.camera && !policy.microphone) return null;
  const { combined } = appliedLimits(policy, device);
  if (combined !== null) {
    return t(/* beside “Violations allowed” */ 'limit.maximum', 'Maximum {n}', { n: combined });
  }
  const { face, voice } = policy.limits;
  return face === null && voice === null
    ? t(/* beside “Violations allowed” */ 'limit.recorded', 'Recorded for review')
    : t(/* beside “Violations allowed” */ 'limit.seeLimits', 'See the limits');
}

export interface Guideline {
  name: 'camera' | 'microphone' | 'face' | 'security' | 'violations';
  title: string;
  text: string;
}

/** The rules of this assessment; only those in its policy are mentioned. */
export function guidelines(policy: Policy, device: RuledDevice): Guideline[] {
  const { guideline } = POLICY_SENTENCES;
  const camera = policy.camera && !device.mobile;
  const { combined, voice } = policy.limits;
  const rules: Guideline[] = [];
  const add = (name: Guideline['name'], title: string, ...sentences: (string | false)[]) =>
    rules.push({ name, title, text: sentences.filter(Boolean).join(' ') });
  if (camera) {
    const ms = policy.stillEveryMs;
    add(
      'camera',
      t(/* heading of a rule */ 'guideline.camera', 'Camera'),
      ms === null ? guideline.stills() : guideline.stillsEvery({ ms }),
    );
  }
  if (policy.microphone) {
    // Nothing counts where there is no limit.
    const counts = combined !== null || voice !== null;
    add(
      'microphone',
      t(/* heading of a rule */ 'guideline.microphone', 'Microphone'),
      guideline.microphone(),
      counts && ruleText(voiceRule(policy)),
    );
  }
  const paper = policy.mayUsePaper === true && guideline.paper();
  if (camera) {
    const away = guideline.lookingAway(LOOKING_AWAY);
    const seen = policy.faceCovered
      ? [guideline.faceCovered(), paper]
      : [ruleText(faceRule(policy)), guideline.unclear()];
    add('face', t('guideline.face', 'Face detection'), ...seen, away);
  }
  const isRecorded = !policy.fullscreen && policy.tabHidden === 'record';
  add(
    'security',
    securityTitle(policy.preset === 'strict', isRecorded),
    ...securitySentences(policy, device),
    !camera && paper,
  );
  const hasLimits = limitCells(policy, device).length > 0;
  if (policy.camera || policy.microphone || policy.fullscreen || hasLimits) {
    const n = appliedLimits(policy, device).combined;
    const own = hasLimits ? guideline.ownLimits() : guideline.noLimit();
    add(
      'violations',
      t('guideline.violations', 'Violation policy'),
      n === null ? own : guideline.most({ n }),
    );
  }
  return rules;
}

function securityTitle(isStrict: boolean, isRecorded: boolean): string {
  if (isStrict) return t(/* heading of rules */ 'guideline.strictSecurity', 'Strict security');
  return isRecorded
    ? t(/* heading of rules: about this page */ 'guideline.thisPage', 'This page')
    : t(/* heading of rules */ 'guideline.security', 'Security');
}

function securitySentences(policy: Policy, device: RuledDevice): string[] {
  const { guideline } = POLICY_SENTENCES;
  const { warnings, tab } = appliedLimits(policy, device);
  const sentences: string[] = [];
  if (policy.fullscreen && device.fullscreen) {
    sentences.push(guideline.fullscreen());
    if (warnings === null) sentences.push(guideline.exitsRecorded());
    else if (!warnings.switches) sentences.push(warningsText(warnings));
  }
  if (tab !== null) sentences.push(ruleText({ rule: 'tab', limit: tab }));
  else if (warnings?.switches) sentences.push(warningsText(warnings));
  else sentences.push(guideline.switchesRecorded());
  return sentences;
}
