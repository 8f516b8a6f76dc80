import { z } from 'zod';
import { moneySchema, openEnum } from '@/lib/bills/answer-schema';
import { NETWORKS } from '@/lib/core/network';

/** Why a payment request for the bill would fail. The route that sends payment requests answers with the same error codes. */
const PROBLEMS = ['network_not_served', 'amount_above_wallet', 'mobile_refused', 'too_many_prompts'] as const;

/** The answer to a bill that could be created, as `validatedJson` writes it. */
export const validatedSchema = z.strictObject({
  amount: moneySchema('The amount of the bill.'),
  reference: z.string().meta({ description: 'The reference of the request, unchanged.' }),
  mobile: z.string().nullable().meta({ description: 'In national form, or null if the request has no number.' }),
  prompt: z
    .strictObject({
      network: openEnum(NETWORKS).meta({ description: "The network of the number's prefix." }),
      networkKnown: z.boolean().meta({
        description:
          'Whether the prefix belongs to a network. If not, live sends no payment request to the number until the operator adds the prefix.',
      }),
      wallet: z.string().meta({ description: 'The name of its mobile money that customers know.' }),
      amount: moneySchema('What the phone would ask for, a whole number.'),
      name: z.string().nullable().meta({ description: 'The name that the phone shows as the receiver, or null if it is unknown.' }),
      problem: openEnum(PROBLEMS).meta({ description: 'Why no payment request could be sent now, or null.' }).nullable(),
    })
    .meta({ title: 'PromptForecast', description: 'The payment request that would be sent. Null if the request has no number.' })
    .nullable(),
  ignored: z.array(z.string()).meta({ description: 'The members that would be ignored, as in `Bili-Ignored`.' }),
});

export const VALIDATED_EXAMPLE: z.output<typeof validatedSchema> = {
  amount: 5000.5,
  reference: 'ORDER-1',
  mobile: '0712345001',
  prompt: { network: 'yas', networkKnown: true, wallet: 'Mixx by Yas', amount: 5001, name: 'DUKA LA MFANO', problem: null },
  ignored: [],
};
