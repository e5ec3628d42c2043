import { ApiProperty } from '@nestjs/swagger';

/** What the body of every success begins with; `data` follows. */
export class SuccessResponse {
  @ApiProperty({ enum: [true], description: 'Always true.' })
  success: true;
}
