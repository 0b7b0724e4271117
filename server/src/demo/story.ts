import { readFileSync } from 'node:fs';
import type { Verdict } from '@invigil/core/domain/attempt';
import type {
  Difficulty,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import type { QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';
import type { CountingType, FlagType } from '@invigil/core/domain/violations/violation-types';

/** The stored story of the demonstration, without its people. */
export interface Story {
  categories: { name: string; description: string | null }[];
  quizzes: StoryQuiz[];
  /** Results of a device check. */
  devices: Record<string, string | number | boolean | null>[];
  /** By type, in turn: what the detectors report, and what a candidate may write about it. */
  detections: Record<
    CountingType | FlagType,
    { engine?: string; notes?: string; durationMs?: number; candidate?: string }[]
  >;
  /** Notes of reviewers, in turn. */
  verdicts: Record<Verdict, string[]>;
}

export interface StoryQuiz {
  /** The name of its question file: `.csv`, or `.json` where it draws from the bank. */
  key: string;
  title: string;
  description: string;
  category: string;
  duration: number;
  totalQuestions: number;
  policy: 'balanced' | 'review';
  /** Days from now, or none. */
  endsInDays: number | null;
  opensInDays?: number;
  /** Deactivated after its last attempt. */
  closedDaysAgo?: number;
  /** A pass mark in percent, and the place of a question whose key someone has moved by mistake. */
  results?: { passMark: number; movedKey: number };
}

/** Questions of the bank, and how an assessment draws its papers from them. */
export interface StoryBank {
  questions: {
    key: string;
    /** Images of its texts are figures by name: `image:rainfall`. */
    definition: QuestionDefinition;
    tags: string[];
    difficulty: Difficulty;
    /** What people type who know it, and who do not. */
    typed?: { right: string[]; wrong: string[] };
    note?: string;
  }[];
  /** With keys for ids. */
  structure: QuizStructure;
  negativeMarks: NegativeMarks;
}

/** A time: some minutes ago, or a time of day (in minutes after midnight) some days ago. */
export type StoryTime = { minutesAgo: number } | { daysAgo: number; minute: number };

/** One invited person of an assessment, or one of their attempts (people.csv). */
export interface StoryRow {
  quiz: string;
  /** Invented, at example.org, a domain reserved for examples: mail to it reaches no one. */
  email: string;
  /** On the same morning as the others of that day; or minutes ago, with the mail still queued. */
  invited: { minutesAgo: number } | { daysAgo: number };
  began: StoryTime | null;
  /** From start to end; 0 while in progress. */
  minutes: number;
  ending: string;
  /** By position: + right, - wrong, . not answered; * and ! the same with a flag. */
  answers: string;
  detections: { type: CountingType | FlagType; percent: number; isExplained: boolean }[];
  verdict: Verdict | null;
  feedback: string;
  /** What else happened, such as `extended 45`. */
  also: string;
}

export function readStory(): Story {
  return JSON.parse(storyFile('story.json').toString());
}

export function readBank(key: string): StoryBank {
  return JSON.parse(storyFile(`${key}.json`).toString());
}

export function readRows(): StoryRow[] {
  const [, ...lines] = storyFile('people.csv').toString().trim().split('\n');
  return lines.map((line) => {
    const [quiz, person, invited, began, minutes, ending, answers, detections, ...rest] =
      line.split(';');
    const [verdict, feedback = '', also = ''] = rest;
    return {
      quiz: quiz ?? '',
      email: `${person}@example.org`,
      invited: invited?.endsWith('m')
        ? { minutesAgo: Number.parseInt(invited, 10) }
        : { daysAgo: Number(invited) },
      began: timeOf(began ?? ''),
      minutes: Number(minutes),
      ending: ending ?? '',
      answers: answers ?? '',
      detections: (detections ?? '').split(' ').filter(Boolean).map(detectionOf),
      verdict: (verdict || null) as Verdict | null,
      feedback,
      also,
    };
  });
}

/** `33m`, or `16 11:23`: days ago and time of day. */
function timeOf(text: string): StoryTime | null {
  if (text === '') return null;
  if (text.endsWith('m')) return { minutesAgo: Number.parseInt(text, 10) };
  const [daysAgo = 0, hours = 0, minutes = 0] = text.split(/[ :]/).map(Number);
  return { daysAgo, minute: 60 * hours + minutes };
}

/** `looking_away@16~`: the percentage of the worked time, and whether the candidate explains it. */
function detectionOf(text: string): StoryRow['detections'][number] {
  const [type, percent = ''] = text.split('@');
  return {
    type: type as CountingType | FlagType,
    percent: Number.parseInt(percent, 10),
    isExplained: text.endsWith('~'),
  };
}

/** A file of the story. */
export function storyFile(name: string): Buffer {
  return readFileSync(new URL(`./story/${name}`, import.meta.url));
}
