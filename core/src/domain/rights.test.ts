import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Grant,
  isNowhere,
  isOwner,
  isWithin,
  may,
  OWNER,
  PERMISSIONS,
  type Permission,
  permitAllOf,
  permitTheSame,
  ROLES,
  reachOf,
  rolesWith,
  union,
} from './rights.ts';

/** Written by hand, to compare: who may do what. */
const WHO: Record<Permission, string> = {
  'quizzes.see': 'owner author invigilator reviewer blind_reviewer analyst support',
  'quizzes.edit': 'owner author',
  'questions.edit': 'owner author',
  'categories.edit': 'owner author',
  'people.see': 'owner invigilator reviewer support',
  'people.invite': 'owner support',
  'passwords.print': 'owner invigilator',
  'live.watch': 'owner invigilator',
  'attempts.act': 'owner invigilator',
  'scores.see': 'owner reviewer blind_reviewer analyst',
  'scores.correct': 'owner',
  'records.see': 'owner reviewer blind_reviewer',
  'evidence.see': 'owner reviewer',
  'verdicts.give': 'owner reviewer blind_reviewer',
  'figures.see': 'owner analyst',
  'reports.export': 'owner reviewer analyst',
  'mail.see': 'owner support',
  'team.edit': 'owner',
  'installation.manage': 'owner',
};

describe('rights', () => {
  it.each(PERMISSIONS)('%s belong to the roles stated', (permission) => {
    expect(rolesWith(permission).join(' ')).toBe(WHO[permission]);
    const [holders, others] = [true, false].map((isHolder) =>
      ROLES.filter((role) => WHO[permission].split(' ').includes(role) === isHolder),
    );
    for (const role of holders ?? []) expect(may([{ role }], permission)).toBe(true);
    for (const role of others ?? []) expect(may([{ role }], permission)).toBe(false);
  });

  it('hold where they were given and nowhere else', () => {
    const ofQuiz: Grant[] = [{ role: 'author', quizId: 'q' }];
    expect(may(ofQuiz, 'quizzes.edit', { quizId: 'q', categoryId: 'c' })).toBe(true);
    expect(may(ofQuiz, 'quizzes.edit', { quizId: 'r', categoryId: 'c' })).toBe(false);
    expect(may(ofQuiz, 'quizzes.edit', { categoryId: 'c' })).toBe(false);
    expect(may(ofQuiz, 'quizzes.edit')).toBe(false);
    const ofCategory: Grant[] = [{ role: 'author', categoryId: 'c' }];
    expect(may(ofCategory, 'quizzes.edit', { quizId: 'q', categoryId: 'c' })).toBe(true);
    expect(may(ofCategory, 'quizzes.edit', { quizId: 'q', categoryId: 'd' })).toBe(false);
    expect(may(ofCategory, 'questions.edit', { categoryId: null })).toBe(false);
    expect(may([{ role: 'owner', quizId: 'q' }], 'installation.manage')).toBe(false);
    expect(may([], 'quizzes.see', { quizId: 'q' })).toBe(false);
    expect(isOwner([{ role: 'owner', quizId: 'q' }])).toBe(false);
    expect(isOwner(OWNER)).toBe(true);
  });

  const id = fc.constantFrom('1', '2', '3');
  const grant: fc.Arbitrary<Grant> = fc.oneof(
    fc.record({ role: fc.constantFrom(...ROLES) }),
    fc.record({ role: fc.constantFrom(...ROLES), quizId: id }),
    fc.record({ role: fc.constantFrom(...ROLES), categoryId: id }),
  );
  const grants = fc.array(grant, { maxLength: 5 });
  const permission = fc.constantFrom(...PERMISSIONS);
  const place = fc.record({
    quizId: fc.option(id, { nil: null }),
    categoryId: fc.option(id, { nil: null }),
  });

  it('add up: more grants never permit less, and each is one of them', () => {
    fc.assert(
      fc.property(grants, grants, permission, place, (some, more, what, where) => {
        const both = may([...some, ...more], what, where);
        expect(both).toBe(may(some, what, where) || may(more, what, where));
        expect(both).toBe([...some, ...more].some((one) => may([one], what, where)));
      }),
    );
  });

  it('select for lists what they permit on one object', () => {
    fc.assert(
      fc.property(grants, permission, permission, place, (some, what, other, where) => {
        const reach = reachOf(some, what);
        expect(isWithin(reach, where)).toBe(may(some, what, where));
        if (isNowhere(reach)) expect(may(some, what, where)).toBe(false);
        const either = union([reach, reachOf(some, other)]);
        expect(isWithin(either, where)).toBe(may(some, what, where) || may(some, other, where));
      }),
    );
  });

  it('are compared: at two places, and with others', () => {
    const [one, other] = [
      { quizId: 'q', categoryId: 'c' },
      { quizId: 'q', categoryId: 'd' },
    ];
    const moved = (grants: Grant[]) => permitTheSame(grants, one, other);
    expect(moved([{ role: 'author' }, { role: 'reviewer', quizId: 'q' }])).toBe(true);
    expect(moved([{ role: 'author', categoryId: 'c' }])).toBe(false);
    expect(moved([{ role: 'analyst', categoryId: 'd' }])).toBe(false);
    const author: Grant[] = [{ role: 'author', quizId: 'q' }];
    expect(permitAllOf([{ role: 'owner', quizId: 'q' }], author)).toBe(true);
    expect(permitAllOf([{ role: 'author', categoryId: 'c' }], author)).toBe(false);
    expect(permitAllOf([], author)).toBe(false);
  });
});
