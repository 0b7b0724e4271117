/** Invented people at example.org, a domain reserved for examples: mail to it reaches no one. */
const NAMES = `
  amara.okafor liam.hughes yuki.tanaka sofia.rossi noah.brandt fatima.alsayed jonas.lindqvist
  priya.nair mateo.garcia emma.dubois kwame.mensah hanna.virtanen lucas.silva mei.chen
  oliver.smith ines.costa tariq.rahman klara.novak ethan.walker leila.haddad pavel.dvorak
  grace.muller diego.torres anja.schmidt samuel.adeyemi nora.jensen hiro.sato chloe.martin
  omar.farouk elif.yilmaz jack.turner marta.kowalska ravi.patel isla.campbell bruno.ferreira
  sanna.korhonen victor.popescu aisha.khan felix.wagner camila.lopez thabo.nkosi greta.larsen
  daniel.levy mina.park henry.clark zofia.nowak arjun.mehta lucia.romano peter.horvath
  salma.benali oscar.nilsson julia.weber kofi.asante maria.santos adam.kaya freya.olsen
  ivan.petrov naomi.cohen george.evans lea.fischer tomas.varga rania.aziz erik.johansson
  bianca.ricci simon.baker dana.katz miguel.ortiz astrid.berg chen.wei alice.moreau
  hassan.ali petra.kral luke.harris ana.marin youssef.amrani eva.becker ryan.murphy
  nina.hansen carlos.ruiz ida.makinen joseph.banda lina.svensson mark.dekker rosa.gomez
  david.kim olga.ivanova ben.cooper zara.iqbal paul.richter teresa.alves anton.huber
  maya.shah leo.conti helen.ward jan.visser selma.demir
`;

/** Their addresses, always in the same order. */
export const PEOPLE: readonly string[] = NAMES.trim()
  .split(/\s+/)
  .map((name) => `${name}@example.org`);
