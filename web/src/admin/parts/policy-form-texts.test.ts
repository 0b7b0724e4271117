import {
  OFF_POLICY,
  REVIEW_POLICY,
  STRICT_POLICY,
} from '@invigil/core/domain/violations/violation-policy';
import { ordinal } from '@invigil/core/texts/amounts';
import { presetFacts, switchHint } from '@invigil/core/texts/policy-form';
import { describe, expect, test } from 'vitest';
import {
  formSummary,
  numberSentence,
  POLICY_NUMBERS,
  type PolicyFormValues,
  type PolicyNumber,
  policyFormOf,
  settingsOf,
} from './policy-form.ts';

const STRICT = policyFormOf(STRICT_POLICY);
const say = (field: PolicyNumber, change: Partial<PolicyFormValues> = {}) =>
  numberSentence(field, { ...STRICT, ...change });

test('says nothing about an invalid value, which shows its error', () => {
  for (const field of POLICY_NUMBERS) expect(say(field, { [field]: 'x' }), field).toBe(null);
});

test.each<[PolicyNumber, string]>([
  ['combined', 'The third face or voice violation ends the attempt.'],
  ['face', 'The third face violation ends the attempt.'],
  [
    'voice',
    'The fifth voice violation ends the attempt. The combined limit of 3 is reached first.',
  ],
  ['exits', 'Each fullscreen exit is a warning; the fifth ends the attempt.'],
  [
    'tabHiddenFor',
    'A page hidden for more than 2 seconds counts as a tab switch. Shorter times are only recorded.',
  ],
  ['faceEvery', 'The picture is checked every second.'],
  ['faceAbsent', '2 checks in a row without a face, about 2 seconds, are a violation.'],
  ['speechShare', 'Speech in at least 60 % of the window is a violation.'],
  ['speechWindow', 'About 1.2 seconds of speech within 2 seconds.'],
  ['loudAbove', 'Only a reading of 120 counts as loud: 60 dB over the quiet room.'],
  ['loudSamples', 'Loud in more than 2 readings in a row, about 0.9 seconds, is a violation.'],
  ['soundEvery', 'The sound level is read every 0.3 seconds.'],
  ['soundEveryIos', 'On these devices it is read every 0.5 seconds.'],
  ['redAbove', 'Candidates see the level in red above 40.'],
  [
    'cooldown',
    'After one has counted, the next of its kind counts 10 seconds later at the earliest.',
  ],
  ['stillEvery', 'Stills are kept only before and after a violation.'],
  ['dismissDelay', 'The attempt ends 1 second after a limit is reached.'],
])('Strict says of %s what it does', (field, sentence) => {
  expect(say(field)).toBe(sentence);
});

test.each<[PolicyNumber, Partial<PolicyFormValues>, string]>([
  ['combined', { combined: '1' }, 'The first face or voice violation ends the attempt.'],
  ['combined', { combined: '' }, 'Face and voice violations together never end the attempt.'],
  ['combined', { addsVoice: false }, 'The third face violation ends the attempt.'],
  ['combined', { camera: false }, 'The third voice violation ends the attempt.'],
  [
    'combined',
    { addsVoice: false, addsFace: false },
    'Neither face nor voice violations count toward it, so it never ends the attempt.',
  ],
  ['voice', { voice: '2' }, 'The second voice violation ends the attempt.'],
  ['voice', { addsVoice: false }, 'The fifth voice violation ends the attempt.'],
  ['voice', { microphone: false }, 'Has no effect while the microphone is off.'],
  [
    'faceAbsent',
    { faceAbsent: '6' },
    '6 checks in a row without a face, about 6 seconds, are a violation. The second shows a warning.',
  ],
  ['faceAbsent', { camera: false }, 'Has no effect while the camera is off.'],
  [
    'exits',
    { tabHidden: 'warn', exits: '22' },
    'Each fullscreen exit or tab switch is a warning; the 22nd ends the attempt.',
  ],
  ['exits', { fullscreen: false, tabHidden: 'record' }, 'Has no effect while fullscreen is off.'],
  ['cooldown', { cooldown: '0' }, 'Every violation counts, however soon after the previous one.'],
  [
    'stillEvery',
    { stillEvery: '60' },
    'One still is kept every 60 seconds, even without a violation.',
  ],
  ['loudAbove', { loudAbove: '50' }, 'A level above 50 is loud: 25 dB over the quiet room.'],
])('%s with %j', (field, change, sentence) => {
  expect(say(field, change)).toBe(sentence);
});

test.each([
  [1, 'first'],
  [8, 'eighth'],
  [11, '11th'],
  [12, '12th'],
  [21, '21st'],
  [43, '43rd'],
  [100, '100th'],
])('%i is the %s', (n, word) => expect(ordinal(n)).toBe(word));

test.each<[Partial<PolicyFormValues>, string]>([
  [{ camera: false, cameraRequired: true }, 'Has no effect while the camera is off.'],
  [
    { cameraRequired: true },
    'On phones and tablets, a notice appears instead of the start button.',
  ],
  [{}, 'Candidates on phones and tablets take the assessment without a camera.'],
])('a required camera with %j says what it does', (change, sentence) => {
  expect(switchHint(settingsOf({ ...STRICT, ...change }), 'cameraRequired')).toBe(sentence);
});

test('ignores an invalid related number in a sentence', () => {
  expect(say('voice', { combined: '0' })).toBe('The fifth voice violation ends the attempt.');
});

describe('the summary', () => {
  test('is omitted for a policy with an invalid number', () => {
    expect(formSummary({ ...STRICT, combined: '0' })).toBe('Some numbers are not valid.');
  });

  test('of Strict names what ends an attempt, without limits that another one precedes', () => {
    expect(formSummary(STRICT)).toBe(
      'Requires camera, microphone and fullscreen. The attempt ends with the third face or voice ' +
        'violation, fifth fullscreen exit or first tab switch.',
    );
  });

  test('of Review and Off says that nothing ends automatically', () => {
    expect(formSummary(policyFormOf(REVIEW_POLICY))).toBe(
      'Requires camera, microphone and fullscreen. Nothing ends the attempt automatically.',
    );
    expect(formSummary(policyFormOf(OFF_POLICY))).toBe(
      'No camera, microphone or fullscreen is required. Nothing ends the attempt automatically.',
    );
  });

  test('of a policy that requires a camera excludes phones', () => {
    const needs = 'Requires camera, microphone and fullscreen. Phones cannot be used.';
    expect(formSummary({ ...STRICT, cameraRequired: true })).toContain(needs);
    expect(formSummary({ ...STRICT, camera: false, cameraRequired: true })).not.toContain(
      'Phones cannot be used',
    );
  });

  test('names a stricter limit of one type in addition to the combined one', () => {
    expect(formSummary({ ...STRICT, voice: '2', exits: '', tabHidden: 'record' })).toContain(
      'ends with the third face or voice violation or second voice violation.',
    );
  });
});

test.each([
  [
    STRICT_POLICY,
    'the third face or voice violation, fifth fullscreen exit or first tab switch.',
    'more than one person, looking away and copy and paste.',
  ],
  [
    REVIEW_POLICY,
    '',
    'a face out of view, a voice, leaving fullscreen, another tab or app, more than one person, looking away and copy and paste.',
  ],
  [OFF_POLICY, '', 'another tab or app and copy and paste.'],
])('says what %j ends an attempt with, and what is only noted', (policy, ends, noted) => {
  expect(presetFacts(policy)).toEqual({ ends, noted });
});
