import {
  BALANCED_POLICY,
  type PolicySettings,
  REVIEW_POLICY,
} from '@invigil/core/domain/violations/violation-policy';
import type { FlagType } from '@invigil/core/domain/violations/violation-types';
import type { BankOfScenario } from './demo-question.ts';
import { SCIENCE_BANK } from './science-questions.ts';

/**
 * One assessment of the demonstration and its candidates. Numbers of people are indexes of PEOPLE.
 */
export interface Scenario {
  /** Also the name of its question file, unless it draws from the bank. */
  key: string;
  bank?: BankOfScenario;
  title: string;
  description: string;
  category: string;
  duration: number;
  totalQuestions: number;
  policy: PolicySettings;
  /** Days from now, or none. */
  endsInDays: number | null;
  /** Deactivated after its last attempt. */
  closedDaysAgo?: number;
  /** People invited together on a morning; they take the assessment on later days. */
  waves: readonly { daysAgo: number; from: number; to: number }[];
  /** People whose mail was refused permanently, so they never sign in. */
  unreachable: readonly number[];
  /** People of the last wave with an attempt in the last hours. */
  today: readonly TodayAttempt[];
  /** People invited minutes ago, whose mail is still queued. */
  justInvited?: { from: number; to: number; minutesAgo: number };
}

/** An attempt with times in minutes before now. */
export interface TodayAttempt {
  person: number;
  /** When it ended, or while in progress when it began. */
  minutesAgo: number;
  how: Ending | 'running';
  /** How good the person is, 0 to 1. */
  skill?: number;
  /** Signed in a second time during the attempt. */
  resumed?: boolean;
  /** Minutes granted by an administrator. */
  extendedBy?: number;
  /** Of a running attempt: the number of counted face and voice violations, and other flags. */
  detected?: { counted?: number; flags?: readonly FlagType[] };
}

export const CATEGORIES: readonly { name: string; description: string | null }[] = [
  { name: 'Health and Safety', description: 'What everyone on the premises needs to know' },
  { name: 'Information Technology', description: 'Networks, systems and how they fail' },
  { name: 'Data Literacy', description: 'Reading figures, charts and studies with care' },
  { name: 'Onboarding', description: null },
  { name: 'Science and Technology', description: 'Mathematics, science and programming' },
];

export const SCENARIOS: readonly Scenario[] = [
  {
    key: 'workplace-safety',
    title: 'Workplace Safety',
    description:
      'Yearly refresher: fire, first aid, hazardous substances, machines and ergonomics.',
    category: 'Health and Safety',
    duration: 30,
    totalQuestions: 20,
    policy: BALANCED_POLICY,
    endsInDays: 30,
    waves: [
      { daysAgo: 20, from: 0, to: 38 },
      { daysAgo: 9, from: 38, to: 76 },
    ],
    unreachable: [17],
    today: [
      { person: 75, minutesAgo: 4, how: 'submitted', skill: 0.97 },
      { person: 74, minutesAgo: 12, how: 'running', resumed: true, detected: { counted: 1 } },
      { person: 73, minutesAgo: 21, how: 'running', detected: { flags: ['multiple_faces'] } },
      { person: 72, minutesAgo: 33, how: 'face', skill: 0.5 },
      { person: 71, minutesAgo: 52, how: 'submitted', skill: 0.72 },
      { person: 70, minutesAgo: 118, how: 'submitted', skill: 0.55 },
    ],
    justInvited: { from: 76, to: 84, minutesAgo: 9 },
  },
  {
    key: 'network-fundamentals',
    title: 'Network Fundamentals',
    description: 'Addresses, protocols and troubleshooting for the service desk.',
    category: 'Information Technology',
    duration: 25,
    totalQuestions: 15,
    policy: BALANCED_POLICY,
    endsInDays: 14,
    waves: [
      { daysAgo: 18, from: 20, to: 46 },
      { daysAgo: 7, from: 46, to: 70 },
    ],
    unreachable: [52],
    today: [
      { person: 69, minutesAgo: 7, how: 'running', extendedBy: 45 },
      { person: 68, minutesAgo: 14, how: 'submitted', skill: 0.93 },
      { person: 67, minutesAgo: 22, how: 'running', extendedBy: 15, detected: { counted: 2 } },
      { person: 66, minutesAgo: 44, how: 'time up', skill: 0.6 },
      { person: 65, minutesAgo: 76, how: 'ended', skill: 0.7 },
      { person: 64, minutesAgo: 95, how: 'submitted', skill: 0.8 },
    ],
    justInvited: { from: 84, to: 90, minutesAgo: 26 },
  },
  {
    key: 'reading-statistics',
    title: 'Reading Statistics',
    description: 'Averages, risks, charts and tests: what figures say and what they do not.',
    category: 'Data Literacy',
    duration: 20,
    totalQuestions: 12,
    policy: REVIEW_POLICY,
    endsInDays: null,
    closedDaysAgo: 1,
    waves: [{ daysAgo: 15, from: 56, to: 94 }],
    unreachable: [61, 80],
    today: [],
  },
  {
    key: 'science-and-code',
    bank: SCIENCE_BANK,
    title: 'Science and Code',
    description: 'Figures, formulas, tables and short programs, with questions of every type.',
    category: 'Science and Technology',
    duration: 40,
    totalQuestions: 11,
    policy: BALANCED_POLICY,
    endsInDays: 21,
    waves: [{ daysAgo: 12, from: 0, to: 34 }],
    unreachable: [12],
    today: [
      { person: 33, minutesAgo: 17, how: 'running' },
      { person: 32, minutesAgo: 61, how: 'submitted', skill: 0.78 },
    ],
    justInvited: { from: 34, to: 38, minutesAgo: 50 },
  },
];

/** How a past attempt ends. */
export type Ending = 'submitted' | 'time up' | 'face' | 'fullscreen' | 'tab' | 'ended';

export const COMMENTS: readonly { emoji: 'smile' | 'neutral' | 'sad'; text: string | null }[] = [
  { emoji: 'smile', text: null },
  { emoji: 'smile', text: 'Clear questions and a calm layout.' },
  { emoji: 'neutral', text: null },
  { emoji: 'smile', text: 'Good that answers are saved at once. My connection kept dropping.' },
  { emoji: 'neutral', text: 'A few questions were about machines that we do not have.' },
  { emoji: 'sad', text: 'The time was too short for me.' },
  { emoji: 'smile', text: null },
  { emoji: 'neutral', text: 'I would like to see the correct answers afterwards.' },
];

export const DEVICES: readonly Record<string, string | number | boolean | null>[] = [
  {
    mobile: false,
    camera: 'granted',
    cameraLabel: 'Integrated Camera',
    microphone: 'granted',
    microphoneLabel: 'Internal Microphone',
    roomFloorDb: -54,
    fullscreen: true,
    screen: '1920x1080',
    connection: 'good',
    roundTripMs: 24,
  },
  {
    mobile: false,
    camera: 'granted',
    cameraLabel: 'HD Webcam',
    microphone: 'granted',
    microphoneLabel: 'Headset',
    roomFloorDb: -61,
    fullscreen: true,
    screen: '2560x1440',
    connection: 'good',
    roundTripMs: 11,
  },
  {
    mobile: false,
    camera: 'granted',
    cameraLabel: 'Front Camera',
    microphone: 'granted',
    microphoneLabel: 'Built-in Microphone',
    roomFloorDb: -47,
    fullscreen: true,
    screen: '1440x900',
    connection: 'slow',
    roundTripMs: 310,
  },
];
