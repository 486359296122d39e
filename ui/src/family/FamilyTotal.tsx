// What is to be paid for all children together. Loaded with their fees, which few visits need.
import { moneyText } from '../money.ts';

export const FamilyTotal = ({ total }: { total: number }) =>
  <p><strong>{moneyText(total, '')}</strong><span> to pay for all of them. One payment is enough: put the code of each into its message.</span></p>;
