import { readFileSync } from 'node:fs';
import { endingRules } from '@invigil/core/domain/violations/applied-limits';
import {
  BALANCED_POLICY,
  OFF_POLICY,
  type PolicySettings,
  REVIEW_POLICY,
  STRICT_POLICY,
} from '@invigil/core/domain/violations/violation-policy';
import { guidelines, ruleSentences } from '@invigil/core/texts/policy';
import { PRESET_WORDS, policySummary, rulesForAuthors } from '@invigil/core/texts/policy-form';
import { describe, expect, it } from 'vitest';
import { invitation } from '../server/src/deliveries/mails/invitation.ts';
import { renderMail } from '../server/src/deliveries/mails/mail.ts';

const COMPUTER = { mobile: false, fullscreen: true };
const GUIDE = readFileSync(new URL('../docs/use/author.md', import.meta.url), 'utf8');

function mailOf(policy: PolicySettings): string {
  const rules = ruleSentences(policy);
  const params = {
    title: 'Safety',
    durationMinutes: 25,
    endDate: null,
    timeZone: 'UTC',
    signInUrl: 'https://invigil.example.org/login',
    rules: endingRules(policy),
  };
  const { text, html } = renderMail(invitation, params, 'AAAAABBBBBCCCCC');
  for (const rule of rules) expect(html).toContain(rule.replaceAll("'", '&#39;'));
  return text;
}

const instructionsOf = (policy: PolicySettings) =>
  guidelines(policy, COMPUTER)
    .map(({ text }) => text)
    .join(' ');

const FIFTH = 'leave fullscreen you get a warning; the fifth ends the assessment';

describe('guide, form, instructions and mail', () => {
  it.each([
    ['Strict', STRICT_POLICY, ['2 seconds', 'without a warning', FIFTH, 'ends it at once']],
    ['Balanced', BALANCED_POLICY, ['6 seconds', '4 seconds', FIFTH, 'the second time ends']],
  ] as const)('say the same of %s', (name, policy, facts) => {
    const rules = ruleSentences(policy);
    expect(rules).toHaveLength(4);
    for (const [i, fact] of facts.entries()) expect(rules[i]).toContain(fact);
    const column = name === 'Strict' ? 1 : 2;
    const told = GUIDE.split('\n').map((line) => line.split('|')[column]?.trim());
    for (const rule of rules) {
      expect(told).toContain(rule);
      expect(instructionsOf(policy)).toContain(rule);
      expect(mailOf(policy)).toContain(`- ${rule}`);
    }
  });

  it('of the form agree with its numbers', () => {
    // The cards of the presets tell authors the same rules, of their candidates.
    const fifth = 'Each fullscreen exit is a warning; the fifth ends the attempt.';
    expect(rulesForAuthors(STRICT_POLICY)).toEqual([
      'A face out of view for 2 seconds counts.',
      'A voice counts without a warning before it.',
      fifth,
      'The first tab switch ends the attempt.',
    ]);
    expect(rulesForAuthors({ ...BALANCED_POLICY, mayUsePaper: true })).toEqual([
      expect.stringMatching(
        /^A face out of view for 6 seconds, with a lowered head for \d+ seconds,? counts\.$/,
      ),
      'A voice first warns the candidate; it counts if it goes on for 4 seconds.',
      fifth,
      'The first tab switch is a warning, the second ends the attempt.',
    ]);
    expect(policySummary(STRICT_POLICY)).toMatch(/first tab switch\.$/);
    expect(policySummary(BALANCED_POLICY)).toMatch(/second tab switch\.$/);
    expect(PRESET_WORDS.strict()).toContain('Two seconds out of view');
    expect(PRESET_WORDS.balanced()).toMatch(/six seconds out of view.*second tab switch/);
  });

  it.each([
    [{ tabHidden: 'warn' }, 'leave fullscreen or switch to another tab or app you get a warning'],
    [{ tabHidden: 'warn', fullscreen: false }, 'Each switch to another tab or app counts'],
    [{ fullscreen: false }, 'ends it at once'],
  ] as const)('name the warnings of %j', (change, fact) => {
    const rules = ruleSentences({ ...STRICT_POLICY, ...change });
    expect(rules).toHaveLength(3);
    expect(rules[2]).toContain(fact);
    expect(instructionsOf({ ...STRICT_POLICY, ...change })).toContain(rules[2]);
  });

  it.each([
    ['Review', REVIEW_POLICY],
    ['Off', OFF_POLICY],
  ])('claim no end that %s does not have', (_, policy) => {
    expect(ruleSentences(policy)).toEqual([]);
    expect(mailOf(policy)).not.toContain('What can end it');
    expect(instructionsOf(policy)).not.toMatch(/ends (it|the assessment)|it counts if/);
  });
});
